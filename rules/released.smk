# Rows of a published release as artefacts, one rule a part; each lists the files it read, and those
# that were not at hand.

if STUDY["sweep"]["source"] == "release":

    rule list_sweep_files:
        """List the released files of the sweep, with their sha256."""
        input:
            sweep_files=sorted(
                {f for files in SOURCES["sweep"].values() for f in files}
            ),
            question_file=[SOURCES["questions"]] if SOURCES["questions"] else [],
            code=code("list_sweep_files"),
        output:
            files=artefact("released/sweep"),
        log:
            log_file("list_sweep_files"),
        conda:
            "../envs/core.yaml"
        params:
            models=STUDY["sweep"]["models"],
            arms=STUDY["sweep"]["arms"],
            labels=STUDY["release"]["labels"],
            questions=STUDY["questions"]["file"],
        script:
            "../scripts/list_sweep_files.py"


if is_released(STUDY, "production"):

    rule import_production:
        """Read the released production study and its grades."""
        input:
            **SOURCES["production"],
            code=code("import_production"),
        output:
            answers=artefact("production/answers"),
            grades=artefact("production/grades"),
            files=artefact("released/production"),
        log:
            log_file("import_production"),
        conda:
            "../envs/core.yaml"
        params:
            gates=STUDY["release"]["gates"],
        script:
            "../scripts/import_production.py"


if is_released(STUDY, "controls"):

    rule import_controls:
        """Read the released negative controls, their grades and what their blocks expose."""
        input:
            **SOURCES["controls"],
            code=code("import_controls"),
        output:
            answers=artefact("controls/answers"),
            grades=artefact("controls/grades"),
            block_exposure=artefact("controls/block_exposure"),
            files=artefact("released/controls"),
        log:
            log_file("import_controls"),
        conda:
            "../envs/core.yaml"
        params:
            gates=STUDY["release"]["gates"],
        script:
            "../scripts/import_controls.py"


if is_released(STUDY, "audit"):

    rule import_audit:
        """Read the released audit verdicts, checked against questions and exposure."""
        input:
            **SOURCES["audit"],
            questions=artefact("questions"),
            exposure=artefact("exposure"),
            code=code("import_audit"),
        output:
            verdict_rows=artefact("audit/verdicts"),
            files=artefact("released/audit"),
        log:
            log_file("import_audit"),
        conda:
            "../envs/core.yaml"
        params:
            gates=STUDY["release"]["gates"],
            labels={STUDY["release"]["labels"].get(m, m): m for m in LABELS},
        script:
            "../scripts/import_audit.py"


if has_part(STUDY, "released_rewrites"):

    rule import_paraphrase:
        """Read the released rewrites, checked against the recomputed ceilings."""
        input:
            **SOURCES["paraphrase"],
            questions=artefact("questions"),
            exposure=artefact("exposure"),
            code=code("import_paraphrase"),
        output:
            rewrite_rows=artefact("paraphrase/rewrites"),
            files=artefact("released/paraphrase"),
        log:
            log_file("import_paraphrase"),
        conda:
            "../envs/core.yaml"
        params:
            gates=STUDY["release"]["gates"],
        script:
            "../scripts/import_paraphrase.py"
