"""What names of arms, sets, templates and policies mean, for readers who never saw the code."""

from collections.abc import Iterable, Mapping

from copyceiling.cohorts import POOLED

TEMPLATES: Mapping[str, str] = {
    "T-REL": "what a class is related to, by one relation",
    "T-TAX": "the immediate parents of a class",
    "T-COMMON": "a broader class that two classes share; any one gold name answers it",
}
POLICIES: Mapping[str, str] = {
    "as_received": "whatever text came is scored, cut answers too",
    "as_wrong": "an answer that is empty, cut or in error scores 0",
    "complete_case": "a question counts only where both its answers ended well",
}
READERS: Mapping[str, str] = {
    "copy": "answers with all that it was shown",
    "silent": "answers nothing",
    "lead": "answers with the first lines of the block",
    "extract": "answers with the lines that best match the question",
}
RULES: Mapping[str, str] = {
    "judge-reference": "judges by exact names and fixed wordings",
    "judge-lenient": "takes any name for the right relation; made to fail the calibration",
    "judge-obeys": "does what an answer tells it to; made to fail the calibration",
}
# What each arm of a judged study shows the model beside the question.
ARMS: Mapping[str, str] = {
    "raw": "nothing",
    "served": "the question's block, introduced by the preamble",
    "true": "the question's block alone",
    "shuffled": "that block with its lines or sentences out of order",
    "masked": "that block with the names of its classes hidden",
    "irrelevant": "the block of another question",
    "fluent_noise": "sections of classes that have nothing to do with the question",
    "answer_disjoint": "real sections of the block's length that hold no gold name",
    "bare": "nothing, on a general question",
    "harness": "whatever block retrieval finds for a general question",
}
# Sets of general questions, by how far they are from the corpus.
SETS: Mapping[str, str] = {
    POOLED: "all sets together",
    "general": "general questions of the release",
    "off_domain": "general questions that have nothing to do with the corpus",
    "in_domain_general": "textbook questions of the corpus's field, which it does not answer",
    "adjacent": "general questions of neighbouring fields",
}
ENGAGED = "_engaged"


def legend(words: Mapping[str, str], names: Iterable[str]) -> list[tuple[str, str]]:
    """Return what those of the names mean that have words, in the order of the words."""
    used = set(names)
    return [(name, text) for name, text in words.items() if name in used]


def plain(name: str) -> str:
    """Return a name as people read it."""
    return name.replace("_", " ")
