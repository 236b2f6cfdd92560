"""What a study must have for there to be a table, and how to give it that."""

from collections.abc import Callable, Mapping
from typing import Any

from copyceiling.arms.settings import is_called

_JUDGED = (
    "set '{part}: {{source: calls, ...}}' and name models and judges (config/defaults.yaml says "
    "what it holds), or set '{part}: {{source: release}}' and point release.path at rows of a "
    "release; config/studies/paper.yaml shows how"
)
# Part of a study to what it takes to have it. A part is a section of the configuration that is
# null where a study lacks it, or one of `_FOUND`.
TAKES = {
    "production": _JUDGED,
    "controls": _JUDGED,
    "audit": _JUDGED,
    "wrappers": "set its section 'wrappers' and name models; config/defaults.yaml says what it "
    "holds",
    "paraphrase": "set its section 'paraphrase'; config/defaults.yaml says what it holds",
    "seeds": "set its section 'seeds': snakemake seeds --config 'seeds={{n: 20}}'",
    "published": "it has no published values to compare with. Point it at some: snakemake TARGET "
    "--config 'release={{path: ..., published: /path/to/values.yaml}}'",
    "judging": "set its section 'judging' and name judges; config/defaults.yaml says what it holds",
    "rescore": "name an embedder, and embed: snakemake rescore --config "
    "'rescore={{embedder: all-minilm-l6-v2-int8, vectors: live}}'",
    "answers": "it has released scores but no answers; only 'sweep: {{source: calls}}' has them",
}
_FOUND: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "published": lambda study: study["release"]["published"] is not None,
    "answers": lambda study: bool(study["sweep"]["source"] == "calls"),
    "released_scores": lambda study: bool(study["sweep"]["source"] == "release"),
    "stress": lambda study: (
        study["paraphrase"] is not None and study["paraphrase"]["source"] != "release"
    ),
    "released_rewrites": lambda study: (
        study["paraphrase"] is not None and study["paraphrase"]["source"] == "release"
    ),
    "audit_calls": lambda study: is_called(study, "audit"),
    "production_calls": lambda study: is_called(study, "production"),
    "controls_calls": lambda study: is_called(study, "controls"),
    "rescored_answers": lambda study: (
        study["rescore"] is not None and study["sweep"]["source"] == "calls"
    ),
    "rescore_published": lambda study: (
        study["rescore"] is not None and study["release"]["published"] is not None
    ),
}
# Terminal targets that not every study has.
TARGETS = {
    "table3": "audit",
    "omitted": "answers",
    "table6": "production",
    "table7": "controls",
    "wrappers": "wrappers",
    "paraphrase": "paraphrase",
    "seeds": "seeds",
    "rescore": "rescore",
    "calibration": "judging",
    "paper": "published",
    "prose": "published",
}


def has_part(study: Mapping[str, Any], part: str | None) -> bool:
    """Return whether a study, by its complete configuration, has a part; None is no part."""
    if part is None:
        return True
    found = _FOUND.get(part)
    return found(study) if found else study[part] is not None


def what_it_takes(part: str) -> str:
    """Return, for people, what a study needs to have a part."""
    return TAKES[part].format(part=part)
