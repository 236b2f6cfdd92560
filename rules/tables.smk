TABLE_PARAMS = {
    "title": STUDY["title"],
    "policy": STUDY["statistics"]["missing"],
    "level": STUDY["statistics"]["level"],
}


rule build_table:
    """Lay out a table as Parquet, CSV, Markdown, LaTeX and HTML, and print it."""
    input:
        study=lambda w: artefact(LAYOUTS[w.table].source),
        card=lambda w: (
            of_part("judging", "studies/calibration")
            if LAYOUTS[w.table].rubric
            else []
        ),
        code=code("build_table"),
    output:
        **reported(table("{table}"), "html", "Tables", "table", table="{table}"),
    log:
        log_file("build_{table}"),
    conda:
        "../envs/core.yaml"
    params:
        **TABLE_PARAMS,
        table=lambda w: w.table,
        notes=lambda w: notes_of(STUDY, w.table),
    script:
        "../scripts/build_table.py"


rule draw_figure3:
    """Draw Figure 3: gain over copy by model, a forest plot."""
    input:
        sweep=artefact("studies/sweep"),
        code=code("draw_figure3"),
    output:
        **reported(figure("figure3"), "svg", "Figures", "figure3", figure="Figure 3"),
    log:
        log_file("draw_figure3"),
    conda:
        "../envs/core.yaml"
    params:
        **TABLE_PARAMS,
    script:
        "../scripts/draw_figure3.py"


rule table4:
    """Table 4 with the confusion census beside it."""
    input:
        table("table4").values(),
        table("confusion").values(),


rule table5:
    """Table 5."""
    input:
        table("table5").values(),


rule figure3:
    """Figure 3, as SVG and PNG."""
    input:
        figure("figure3").values(),
