"""Reference readers: answers that no model wrote, which bracket every model (DESIGN section 12).

``copy`` returns the whole visible input, so its gain over copy is exactly zero; ``silent`` returns
nothing; ``lead`` the first lines of the context; ``extract`` the lines that best match the
question. None knows the gold.
"""

from collections.abc import Sequence

from copyceiling.requests import Message, visible_input
from copyceiling.retrieval import query_terms
from copyceiling.text import words

LEAD_LINES = 3
EXTRACT_LINES = 3


def read(reader: str, messages: Sequence[Message]) -> str:
    """Return a reader's answer to what a model would be shown.

    Args:
        reader: ``copy``, ``silent``, ``lead`` or ``extract``.
        messages: The visible input; the last message is the question.

    Raises:
        KeyError: There is no such reader.
    """
    if reader == "copy":
        return visible_input(messages)
    if reader == "silent":
        return ""
    lines = _context_lines(messages)
    if reader == "lead":
        return "\n".join(lines[:LEAD_LINES])
    if reader == "extract":
        return "\n".join(_best_lines(lines, messages[-1].content))
    raise KeyError(reader)


def _context_lines(messages: Sequence[Message]) -> list[str]:
    """Lines of the context, or of the question where there is no context; markers left out."""
    context = "\n".join(m.content for m in messages[:-1]) or messages[-1].content
    return [line for line in context.split("\n") if line.strip() and not line.startswith("[")]


def _best_lines(lines: Sequence[str], question: str) -> list[str]:
    """The lines with most distinct question terms, ties to the earlier, in reading order."""
    terms = set(query_terms(words(question)))
    shared = [len(terms.intersection(words(line))) for line in lines]
    best = sorted(range(len(lines)), key=lambda i: (-shared[i], i))[:EXTRACT_LINES]
    return [lines[i] for i in sorted(best) if shared[i]]
