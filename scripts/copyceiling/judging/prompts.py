"""What a judge reads: the rubric as system text, and everything else between coded marks.

Answers, references and corpus text reach a judge only between marks that carry a code which occurs
nowhere in them, so no text can close its own section. The code comes by name from study seed and
unit, so a call is the same call again. Nothing is ever put into a format string. What a chat
template would take for its own, such as ``<|im_end|>``, is broken by a space: it could end the
message, marks and all. Source: DESIGN section 11.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from copyceiling.judging.forms import Form
from copyceiling.judging.rubrics import Rubric, permuted
from copyceiling.judging.units import Unit
from copyceiling.requests import Message
from copyceiling.stats import named_rng

_CODE_BYTES = 8
_FIRST = "Code of this message: "
_MARK = re.compile(r"^<<<(?!end )(.+) ([0-9a-f]+)>>>$", re.MULTILINE)
HINT = "credited by a matcher"
# First character of what chat templates use to part one speaker from another, of several families
# of models. A name is not asked for after "<|", so that no list of names can be incomplete.
_CONTROL = re.compile(
    r"""<(?=[|\uff5c]
          | /?(?:s|bos|eos|pad|unk)>
          | </?sys>>
          | (?:start|end)_of_(?:turn|image|role)>)
      | \[(?=/?(?:inst|system_prompt|available_tools|tool_calls|tool_results|tool_content)\])""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class Prompt:
    """What a judge reads of one unit.

    Attributes:
        messages: Rubric as system message, sections as user message.
        answer: The answer as shown: whole, or up to the cap, control tokens broken.
        cut: Whether the cap cut it.
        n_broken: Control tokens of a chat template that were broken in the answer shown.
    """

    messages: tuple[Message, Message]
    answer: str
    cut: bool
    n_broken: int


def clean(text: str) -> str:
    """Return text that UTF-8 can hold: half surrogate pairs become replacement characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def break_controls(text: str) -> tuple[str, int]:
    """Return text in which no chat template finds a control token of its own, and how many it held.

    A space goes after the first character of each. It is no word to the matcher, so a quote copied
    from the text stands in it with the space and without. A text without such tokens comes back as
    it is, and so does one whose tokens are broken.
    """
    return _CONTROL.subn(lambda first: f"{first[0]} ", text)


def nonce(seed: int, name: str, texts: Sequence[str]) -> str:
    """Return a code of lowercase hex digits, at least 16, that occurs in none of the texts.

    Derived by name from the study seed; extended until no text holds it.
    """
    rng = named_rng(seed, f"nonce:{name}")
    lowered = [text.lower() for text in texts]
    code = rng.bytes(_CODE_BYTES).hex()
    while any(code in text for text in lowered):
        code += rng.bytes(_CODE_BYTES).hex()
    return code


def build_prompt(unit: Unit, rubric: Rubric, form: Form, *, seed: int, order: int = 0) -> Prompt:
    """Return what a judge reads of a unit.

    Args:
        unit: What to judge.
        rubric: What the judge is told.
        form: How much of the answer is shown, and whether the matcher's output is.
        seed: Study seed.
        order: Order of the rubric's options and of the unit's lists; see `Rubric.system`.
    """
    whole = clean(unit.answer)
    kept = whole if form.answer_cap is None else whole[: form.answer_cap]
    answer, n_broken = break_controls(kept)
    sections = [(name, _shown(name, content, order)) for name, content in unit.fields]
    if form.matcher_hint and rubric.kind == "relation":
        sections.append((HINT, "\n".join(unit.credited) or "none of the other items"))
    sections.append(("answer", answer))
    return Prompt(
        compose(sections, rubric, seed=seed, name=unit.id, order=order),
        answer,
        len(kept) < len(whole),
        n_broken,
    )


def _shown(name: str, content: str | tuple[str, ...], order: int) -> str:
    if isinstance(content, str):
        return clean(content)
    return "\n".join(f"- {clean(text)}" for text in permuted(content, order, name))


def compose(
    sections: Sequence[tuple[str, str]], rubric: Rubric, *, seed: int, name: str, order: int = 0
) -> tuple[Message, Message]:
    """Return sections as a conversation; ``name`` tells the code from those of other units."""
    shown = [(title, break_controls(text)[0]) for title, text in sections]
    code = nonce(seed, f"{rubric.id}:{name}", [text for _, text in shown])
    blocks = [f"<<<{title} {code}>>>\n{text}\n<<<end {title} {code}>>>" for title, text in shown]
    user = "\n\n".join([_FIRST + code, *blocks, rubric.request])
    return Message("system", rubric.system(order)), Message("user", user)


def with_reask(
    messages: tuple[Message, Message], rubric: Rubric, fault: str
) -> tuple[Message, Message]:
    """Return the conversation asked once more, with what was wrong in our own words.

    The reply that could not be read is not repeated: it is untrusted text.
    """
    system, user = messages
    return system, Message("user", f"{user.content}\n\n{rubric.reask} {fault}")


def read_sections(user: str) -> dict[str, str]:
    """Return the sections of a user message by name, as a judge that reads marks would see them.

    Raises:
        ValueError: The message has no code, or a section has no end.
    """
    first, _, rest = user.partition("\n")
    if not first.startswith(_FIRST):
        raise ValueError("the message states no code")
    code = first.removeprefix(_FIRST)
    found: dict[str, str] = {}
    place = 0
    while (mark := _next_mark(rest, code, place)) is not None:
        name, start = mark[1], mark.end() + 1
        stop = rest.find(f"\n<<<end {name} {code}>>>", start - 1)
        if stop < 0:
            raise ValueError(f"section '{name}' has no end")
        found[name] = rest[start:stop]
        place = stop + 1
    return found


def _next_mark(text: str, code: str, place: int) -> re.Match[str] | None:
    return next((m for m in _MARK.finditer(text, place) if m[2] == code), None)
