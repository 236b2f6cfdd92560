"""Names that other tools give to the fields of a row, and which field a name may stand for.

A field under another name is not read, and a context or an answer that is not read looks like a
system that was shown nothing, or that said nothing. So a missing field is asked about wherever a
name like one of these is there in its place.
"""

import difflib
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

# Likeliest first. Names are compared without case, spaces and punctuation, so that
# ``Retrieved Contexts`` and ``retrievedContexts`` need no line of their own.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "id": (
        *("qid", "question_id", "query_id", "example_id", "sample_id", "item_id", "row_id"),
        *("record_id", "case_id", "test_id", "doc_id", "custom_id", "uid", "uuid", "guid"),
        *("identifier", "idx", "index"),
    ),
    "question": (
        *("questions", "query", "user_input", "user_query", "user_question", "question_text"),
        *("query_text", "input_question", "input", "prompt", "instruction", "problem"),
    ),
    "gold": (
        *("golds", "gold_answers", "gold_answer", "gold_names", "gold_items", "ground_truth"),
        *("ground_truths", "gt", "gt_answer", "gt_answers", "reference_answers"),
        *("reference_answer", "reference", "expected_answers", "expected_answer"),
        *("expected_output", "expected_outputs", "expected_response", "expected"),
        *("correct_answers", "correct_answer", "true_answer", "target", "targets", "ideal"),
        *("answers", "answer_key", "references", "reference_output", "labels", "label"),
    ),
    "context": (
        *("contexts", "retrieved_contexts", "retrieved_context", "retrieval_context"),
        *("source_documents", "source_docs", "source_nodes", "retrieved_documents"),
        *("retrieved_docs", "retrieved_passages", "retrieved_chunks", "retrieved_nodes"),
        *("retrieved_texts", "retrieved_text", "retrieved", "retrieval", "retrievals"),
        *("context_documents", "context_docs", "context_text", "context_texts"),
        *("context_passages", "context_chunks", "input_documents", "supporting_documents"),
        *("documents", "document", "docs", "passages", "passage", "chunks", "ctxs", "ctx"),
        *("snippets", "evidence", "evidences", "search_results", "sources", "nodes"),
        *("knowledge", "background", "messages", "references"),
    ),
    "answer": (
        *("response", "responses", "prediction", "predictions", "predicted_answer", "pred"),
        *("generated_answer", "generated_response", "generated_text", "generated_output"),
        *("generation", "generations", "generated", "completion", "completions"),
        *("actual_output", "model_answer", "model_output", "model_response", "llm_answer"),
        *("llm_output", "llm_response", "rag_answer", "system_answer", "system_output"),
        *("bot_answer", "bot_response", "assistant_response", "final_answer", "answer_text"),
        *("response_text", "output_text", "output", "outputs", "result", "reply", "hypothesis"),
        *("answers",),
    ),
    "raw_answer": (
        *("raw_answers", "raw_response", "raw_output", "baseline_answer", "baseline_response"),
        *("closed_book_answer", "no_context_answer", "answer_without_context"),
    ),
    "cluster": ("clusters", "cluster_id"),
    "gold_type": (),
    "status": (),
    "raw_status": (),
    "system": (),
    "arm": (),
}


def plain(name: str) -> str:
    """Return a name without case, spaces and punctuation."""
    return "".join(c for c in name.casefold() if c.isalnum())


def _ranks() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for field, names in SYNONYMS.items():
        for rank, name in enumerate((field, *names)):
            found.setdefault(plain(name), {}).setdefault(field, rank)
    return found


_RANKS = _ranks()


@lru_cache(maxsize=4096)
def meanings(name: str) -> Mapping[str, int]:
    """Return the fields that a name may stand for, each with its rank; 0: it differs in form only.

    A name that cannot be printed stands for none, as it could not be named in a command.
    """
    return _RANKS.get(plain(name), {}) if name.isprintable() else {}


def assign(found: Mapping[str, Collection[str]], missing: Iterable[str]) -> dict[str, str]:
    """Return which missing field stands under which name; without a likely name, it is left out.

    Args:
        found: Names that are not read, each with the fields that its value could be read as.
        missing: Fields that are not there.

    Returns:
        Field to name, in the order of `SYNONYMS`; no name twice. A name whose value fits the field
        comes first, then the likelier name: of ``answers``, a list, and ``response`` the first is
        the gold and the second the answer.
    """
    order, wanted = list(SYNONYMS), set(missing)
    pairs = sorted(
        (field not in fitting, rank, order.index(field), name)
        for name, fitting in found.items()
        for field, rank in meanings(name).items()
        if field in wanted
    )
    chosen: dict[str, str] = {}
    for _, _, at, name in pairs:
        if order[at] not in chosen and name not in chosen.values():
            chosen[order[at]] = name
    return {field: chosen[field] for field in order if field in chosen}


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``, did you mean '...'?`` if a known name is much like this one, else ""."""
    by_plain = {plain(k): k for k in known}
    close = difflib.get_close_matches(plain(name), by_plain, n=1)
    return f"; did you mean '{by_plain[close[0]]}'?" if close else ""
