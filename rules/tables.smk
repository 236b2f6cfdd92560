TABLE_PARAMS = {
    "title": STUDY["title"],
    "policy": STUDY["statistics"]["missing"],
    "level": STUDY["statistics"]["level"],
}


rule build_table4:
    """Lay out Table 4: recall with and without the scaffold against the copy ceiling."""
    input:
        sweep=artefact("studies/sweep"),
        code=code("build_table4"),
    output:
        **table("table4"),
    log:
        log_file("build_table4"),
    conda:
        "../envs/core.yaml"
    params:
        **TABLE_PARAMS,
    script:
        "../scripts/build_table4.py"


rule build_table5:
    """Lay out Table 5: gold items by exposure and recovery."""
    input:
        decomposition=artefact("studies/decomposition"),
        code=code("build_table5"),
    output:
        **table("table5"),
    log:
        log_file("build_table5"),
    conda:
        "../envs/core.yaml"
    params:
        **TABLE_PARAMS,
    script:
        "../scripts/build_table5.py"


rule build_confusion:
    """Sum up the confusion census, which stands beside Table 4."""
    input:
        confusion=artefact("studies/confusion"),
        code=code("build_confusion"),
    output:
        **table("confusion"),
    log:
        log_file("build_confusion"),
    conda:
        "../envs/core.yaml"
    params:
        **TABLE_PARAMS,
    script:
        "../scripts/build_confusion.py"


rule draw_figure3:
    """Draw Figure 3: gain over copy by model, a forest plot."""
    input:
        sweep=artefact("studies/sweep"),
        code=code("draw_figure3"),
    output:
        **figure("figure3"),
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
