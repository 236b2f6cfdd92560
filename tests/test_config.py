"""Configuration: closed, in step with its schema, and every fault named."""

import json
from pathlib import Path

import pytest
import yaml
from copyceiling.config import (
    DEFAULTS,
    ROOT,
    SCHEMA,
    defaults_yaml,
    load_study,
    load_yaml,
    study_of,
)
from copyceiling.errors import ConfigError
from copyceiling.models import ModelSpec, load_models, select, spec_of, spec_params
from copyceiling.workflow import check_files

STUDIES = sorted((ROOT / "config" / "studies").glob("*.yaml"))
MODELS = ROOT / "config" / "models.tsv"
# Looked for in a package or below the release, each with a message of its own.
ELSEWHERE_CHECKED = ("corpus.path", "questions.file")


@pytest.mark.parametrize("file", STUDIES, ids=lambda p: p.stem)
def test_shipped_studies_are_valid(file: Path) -> None:
    study = load_study(file)
    assert study["study"] == file.stem
    select(load_models(MODELS), study["sweep"]["models"], file.name)


def test_defaults_file_is_in_step_with_the_schema() -> None:
    assert DEFAULTS.read_text(encoding="utf-8") == defaults_yaml(), "write it again: make defaults"


def test_the_schema_is_closed_and_documented() -> None:
    def walk(node: dict[str, object], where: str) -> None:
        if "properties" in node:
            assert node.get("additionalProperties") is False, where
            for name, inner in node["properties"].items():  # type: ignore[attr-defined]
                assert inner.get("description"), f"{where}.{name} has no description"
                walk(inner, f"{where}.{name}")

    walk(load_yaml(SCHEMA), "study")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sead": 1}, "  - there is no key 'sead'. Did you mean 'seed'?"),
        ({"max_usd": 1}, "there is no key 'max_usd'. There is one under: live"),
        ({"zzz": 1}, "there is no key 'zzz'. Its keys are: study, title, "),
        (
            {"sweep": {"models": ["m"], "arm": ["raw"]}},
            "field 'sweep': there is no key 'arm'. Did you mean 'arms'?",
        ),
        (
            {"sweep": {"models": ["m"], "arms": ["raww"]}},
            "field 'sweep.arms.0': 'raww' is none of: raw, scaffold. Did you mean 'raw'?",
        ),
        ({"sweep": {"models": []}}, "field 'sweep.models': [] is too short: it needs 1 or more"),
        ({"sweep": {"models": ["m", "n", "m"]}}, "'sweep.models': 'm' stands more than once"),
        ({"seed": "many"}, "field 'seed': 'many' must be a whole number"),
        ({"seed": -1}, "field 'seed': -1 must be at least 0"),
        ({"live": {"max_usd": "free"}}, "'live.max_usd': 'free' must be a number or null"),
        ({"statistics": {"level": 1.0}}, "field 'statistics.level': 1.0 must be below 1"),
        ({"corpus": {"format": "owlish"}}, "field 'corpus.format': 'owlish' is none of: markdown,"),
        ({"paraphrase": {}}, "field 'paraphrase': key 'source' is missing"),
        ({"release": {"gates": {"audit.n1": 1}}}, "no key 'audit.n1'. Did you mean 'audit.n11'?"),
        ({"study": "a/b"}, "field 'study': 'a/b' must be of the form [a-z0-9][a-z0-9-]*"),
    ],
)
def test_a_wrong_key_or_value_is_named(tmp_path: Path, change: object, message: str) -> None:
    base = yaml.safe_load((ROOT / "config" / "studies" / "smoke.yaml").read_text())
    over = tmp_path / "over.yaml"
    over.write_text(yaml.safe_dump(change))
    first = tmp_path / "first.yaml"
    first.write_text(yaml.safe_dump(base))
    with pytest.raises(ConfigError) as e:
        study_of([first, over])
    assert message in str(e.value) and "over.yaml" in str(e.value)


def test_a_value_is_said_to_be_from_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    study = yaml.safe_load(STUDIES[-1].read_text())
    file.write_text(yaml.safe_dump({**study, "seed": "many"}))
    with pytest.raises(ConfigError, match=r"^the command line and .*mine\.yaml: 3 faults:") as e:
        study_of([file], ["mode=lvie", "sweep={arms: [raww]}"])
    told = {line.split(":")[0]: line for line in str(e.value).splitlines()}
    assert told["  - field 'mode'"].endswith("(from the command line)")
    assert told["  - field 'sweep.arms.0'"].endswith("(from the command line)")
    assert told["  - field 'seed'"].endswith("mine.yaml)")
    file.write_text(yaml.safe_dump(study))
    with pytest.raises(ConfigError, match=r"^the command line: 1 fault:") as e:
        study_of([file], ["mode=lvie"])
    assert "mine.yaml" not in str(e.value) and "(from" not in str(e.value)


def test_no_message_holds_a_python_list_or_words_of_the_schemas_language() -> None:
    with pytest.raises(ConfigError) as e:
        study_of([STUDIES[-1]], ["mode=[lvie]", "seed={a: 1}", "x=1", "corpus=null", "title=3"])
    text = str(e.value)
    for words in ("unexpected", "Additional", "is not of type", "None", "['", "{'"):
        assert words not in text
    assert "field 'mode': [lvie] is none of: replay, live" in text
    assert "field 'corpus': null must be a mapping of settings" in text


def test_an_override_that_is_no_yaml_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^--config live=\{max: the value is no valid YAML"):
        study_of([], ["live={max"])


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "twice.yaml"
    file.write_text("study: a\nseed: 1\nseed: 2\n")
    with pytest.raises(ConfigError, match=r"twice\.yaml:3: key 'seed' stands twice"):
        load_yaml(file)


def test_yaml_makes_no_objects(tmp_path: Path) -> None:
    file = tmp_path / "evil.yaml"
    file.write_text("study: !!python/object/apply:os.system ['true']\n")
    with pytest.raises(ConfigError, match="no valid YAML"):
        load_yaml(file)


def test_overrides_keep_their_types() -> None:
    study = study_of([STUDIES[-1]], ["seed=3", "sweep={subset: {reader-copy: '5'}}"])
    assert (study["seed"], study["sweep"]["subset"]["reader-copy"]) == (3, 5)
    with pytest.raises(ConfigError, match="write key=value"):
        study_of([], ["seed"])


def test_the_papers_ten_are_in_the_table() -> None:
    """Source: DESIGN section 12."""
    found = {m.target: m for m in load_models(MODELS).values() if m.runner == "litellm"}
    for target in (
        "gemini/gemini-2.5-flash-lite",
        "gemini/gemini-3.5-flash-lite",
        "gemini/gemini-3.7-flash",
        "deepseek/deepseek-chat",
        "openrouter/openai/gpt-4.1-mini",
        "openrouter/anthropic/claude-haiku-4.5",
        "openrouter/meta-llama/llama-3.3-70b-instruct",
        "openrouter/mistralai/mistral-small-24b-instruct-2501",
        "openrouter/qwen/qwen-2.5-72b-instruct",
        "openrouter/z-ai/glm-4.6",
    ):
        assert found[target].params["temperature"] == 0 and found[target].budgets == (2048,)
    for target in ("gemini/gemini-3.5-flash-lite", "gemini/gemini-3.7-flash"):
        assert found[target].params["reasoning_effort"] == "low"


def test_a_model_survives_the_way_through_params() -> None:
    for spec in load_models(MODELS).values():
        assert spec_of(json.loads(json.dumps(spec_params(spec)))) == spec


def test_faults_of_the_model_table_are_listed(tmp_path: Path) -> None:
    head = MODELS.read_text(encoding="utf-8").splitlines()[0]
    rows = [
        "a b\treference\tcopy\t\t\t10\t\t\t\t\t\t",
        "m1\tmagic\tx\t\t\t10\t\t\t\t\t\t",
        "m2\treference\tshout\t\t\t10\t\t\t\t\t\t",
        "m3\tgguf\tw.gguf\tno-hash\t\t10\t\t\t\t\t\t",
        "m4\tlitellm\tx\t\t{bad\t10\t\t\t\t\t\t",
        "m5\tlitellm\tx\t\t\t20,10\t\t\tfast\t\t\t",
        "m5\tlitellm\tx\t\t\t10\t\t\t\t\t\t",
    ]
    file = tmp_path / "models.tsv"
    file.write_text("\n".join([head, *rows]) + "\n")
    with pytest.raises(ConfigError) as e:
        load_models(file)
    text = str(e.value)
    for part in (
        ":2: column 'model'",
        ":3: model 'm1': column 'runner': 'magic' is none of: reference, gguf, litellm. For a "
        "provider or a server: runner litellm, and the target as LiteLLM names it, such as "
        "magic/NAME",
        ":4: model 'm2': column 'target': 'shout' is none of: copy, silent,",
        ":5: model 'm3': column 'revision'",
        ":5: model 'm3': column 'params': 'threads' is missing; give a whole number above 0, such "
        'as "threads": 1',
        ":5: model 'm3': column 'params': 'context' is missing",
        ":5: model 'm3': column 'params': 'temperature' is missing",
        ":6: model 'm4': column 'params'",
        ":7: model 'm5': column 'budgets'",
        ":7: model 'm5': column 'rpm': 'fast' is no whole number",
        ":8: model 'm5': column 'model': 'm5' stands twice",
    ):
        assert part in text
    assert "['" not in text and "('" not in text
    with pytest.raises(ConfigError, match=r"^here: unknown models nope, m9\."):
        select({}, ["nope", "m9"], "here")
    with pytest.raises(
        ConfigError, match=r"unknown model reader-copi\. Did you mean 'reader-copy'"
    ):
        select(load_models(MODELS), ["reader-copi"], "here")


def test_a_table_whose_columns_are_not_separated_by_tabs_says_so(tmp_path: Path) -> None:
    text = MODELS.read_text(encoding="utf-8")
    head, row = text.splitlines()[:2]
    file = tmp_path / "models.tsv"
    file.write_text(text.replace("\t", " "))
    with pytest.raises(ConfigError, match=r"models\.tsv:1: 1 column found, 12 expected: are the"):
        load_models(file)
    # Empty lines count as lines, and an editor may have stripped the empty columns at the end.
    file.write_text("\n".join([head, "", row.rstrip(), "a b c", row + "\tx\ty"]) + "\n")
    with pytest.raises(ConfigError, match="2 faults") as e:
        load_models(file)
    assert f"{file}:4: 1 column found, 12 expected: are the columns separated by tabs" in str(
        e.value
    )
    assert f"{file}:5: 14 columns found" in str(e.value)
    with pytest.raises(ConfigError, match="cannot read the model table"):
        load_models(tmp_path / "none.tsv")


def test_no_path_of_a_machine_enters_a_call() -> None:
    spec = load_models(MODELS)["smollm2-135m"]
    moved = ModelSpec(
        **{**spec.__dict__, "target": "/somewhere/else/" + spec.target.split("/")[-1]}
    )
    assert spec.call_target == moved.call_target == "gguf/SmolLM2-135M-Instruct.Q4_1.gguf"


def test_files_that_are_not_there_are_named_together() -> None:
    """Snakemake would print the old table: it takes a result without its input for a given file."""
    study = load_study(ROOT / "config" / "studies" / "smoke.yaml")
    check_files(study)
    study["scaffold"]["preamble"] = "no/preamble.txt"
    study["seeds"] = {**(study["seeds"] or {}), "snapshots": [{"path": "no/snapshot.obo"}]}
    study["judging"]["rubrics"]["grade"] = str(ROOT / "config")
    with pytest.raises(ConfigError) as e:
        check_files(study)
    assert str(e.value).splitlines()[:-1] == [
        "  - scaffold.preamble: there is no file 'no/preamble.txt'",
        "  - seeds.snapshots.0.path: there is no file 'no/snapshot.obo'",
        f"  - judging.rubrics.grade: there is no file '{ROOT / 'config'}'",
    ]


def test_every_setting_that_names_a_file_says_so() -> None:
    """What a description calls a file, or a default shows to be one, has the format."""

    def walk(schema: dict[str, object], where: str) -> None:
        text = str(schema.get("description", "")).lower()
        default = schema.get("default")
        is_file = isinstance(default, str) and (ROOT / default).is_file()
        if where not in ELSEWHERE_CHECKED and schema.get("type") in (
            "string",
            ["string", "null"],
        ):
            said = text.startswith(("file of", "file with")) or is_file
            assert said == (schema.get("format") == "file"), where
        for part in ("properties", "items"):
            inner = schema.get(part)
            if part == "items" and isinstance(inner, dict):
                walk(inner, f"{where}[]")
            elif isinstance(inner, dict):
                for key, value in inner.items():
                    walk(value, f"{where}.{key}" if where else key)

    walk(load_yaml(SCHEMA), "")
