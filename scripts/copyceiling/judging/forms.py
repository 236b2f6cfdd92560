"""The form in which a judge is asked and read: ours, the released one, and ablations.

Each setting is one that the released harness and ours set apart, so that a calibration can run
both and say what the difference does. Source: STUDIES sections 3, 5 and 8.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Form:
    """How a judge is asked and read.

    Attributes:
        name: Stands in every verdict.
        answer_cap: Characters of the answer shown, None for all.
        parse: ``strict`` takes one JSON object of the declared form and nothing else; ``lenient``
            takes what it can find, down to the first digit and from replies that were cut, as the
            released harness does.
        matcher_hint: Whether the judge is told which other items the matcher credits.
        quotes: ``ordered`` wants a quote at word boundaries, its pieces in order; ``released``
            takes substrings of the normalised answer, pieces in any order.
    """

    name: str
    answer_cap: int | None
    parse: Literal["strict", "lenient"]
    matcher_hint: bool
    quotes: Literal["ordered", "released"]


RELEASED_CAP = 4_000  # characters, STUDIES sections 3 and 5

FORMS: Mapping[str, Form] = {
    "ours": Form("ours", None, "strict", False, "ordered"),
    "released": Form("released", RELEASED_CAP, "lenient", True, "released"),
    # Ablations: ours but for one setting.
    "capped": Form("capped", RELEASED_CAP, "strict", False, "ordered"),
    "lenient": Form("lenient", None, "lenient", False, "ordered"),
    "hinted": Form("hinted", None, "strict", True, "ordered"),
}
