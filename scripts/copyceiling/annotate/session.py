"""Labelling unit by unit: what is current, what a key does, and undo. No terminal in here.

Every change is saved before the next key is read, so a session that is killed loses nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from copyceiling.annotate.labelling import ALTERNATIVE, MEANINGS, NEITHER, Label, roles_of
from copyceiling.audit.labels import Row

Save = Callable[[Mapping[str, Label]], None]
_BY_KEY = {key: label for label, (key, _) in MEANINGS.items()}


@dataclass(frozen=True)
class _Step:
    """One change: where it was made, and what stood there before."""

    place: int
    before: Label | None


class Session:
    """A person at work on a sheet.

    Args:
        units: Rows of `AUDIT_UNITS` on the sheet, in order.
        labels: Labels that there are already, by code.
        save: Keeps the labels; called after every change.
    """

    def __init__(self, units: Sequence[Row], labels: Mapping[str, Label], save: Save) -> None:
        self._units, self._labels, self._save = list(units), dict(labels), save
        self._steps: list[_Step] = []
        self._pending: str | None = None  # label that waits for a role
        self._place = self._next_open(0)

    @property
    def labels(self) -> Mapping[str, Label]:
        """The labels so far, by code."""
        return self._labels

    @property
    def n_labelled(self) -> int:
        """Units of the sheet with a label."""
        return sum(u["code"] in self._labels for u in self._units)

    @property
    def current(self) -> Row | None:
        """The unit to label, None at the end of the sheet."""
        return self._units[self._place] if self._place < len(self._units) else None

    @property
    def number(self) -> int:
        """Number of the current unit, from 1."""
        return self._place + 1

    @property
    def wants_role(self) -> bool:
        """Whether the next key says if the answer supplies another item."""
        return self._pending is not None

    def press(self, key: str) -> str | None:
        """Do what a key stands for; return a word on what was done, None for a key of no meaning.

        Labels by their keys (`MEANINGS`), then ``y`` or ``n`` where a role is to be said; ``u``
        undoes, ``b`` goes back a unit, ``s`` skips one.
        """
        if self._pending is not None:
            return self._role(key)
        moves = {"u": self._undo, "b": self._back, "s": self._skip}
        if key in moves:
            return moves[key]()
        unit = self.current
        if unit is None or key not in _BY_KEY:
            return None
        label, roles = _BY_KEY[key], roles_of(unit)
        if len(roles) > 1:
            self._pending = label
            return label
        self._set(Label(label, roles[0], self._note(unit)))
        return label

    def annotate(self, note: str) -> str:
        """Put a remark to the label of the unit before, or of the current one if it has a label."""
        for place in (self._place, self._place - 1):
            if 0 <= place < len(self._units):
                code = self._units[place]["code"]
                if code in self._labels:
                    self._change(place, replace(self._labels[code], note=note.strip()))
                    return f"remark put to unit {place + 1}"
        return "no label to put a remark to: label the unit first"

    def _role(self, key: str) -> str | None:
        if key == "u":
            self._pending = None
            return "undone"
        role = {"y": ALTERNATIVE, "n": NEITHER}.get(key)
        unit, label = self.current, self._pending
        if role is None or unit is None or label is None:
            return None
        self._pending = None
        self._set(Label(label, role, self._note(unit)))
        return role

    def _note(self, unit: Row) -> str:
        """A unit that is labelled again keeps its remark."""
        return self._labels[unit["code"]].note if unit["code"] in self._labels else ""

    def _set(self, label: Label) -> None:
        self._change(self._place, label)
        self._place = self._next_open(self._place + 1)

    def _change(self, place: int, label: Label | None, *, undoing: bool = False) -> None:
        code = self._units[place]["code"]
        if not undoing:
            self._steps.append(_Step(place, self._labels.get(code)))
        if label is None:
            del self._labels[code]
        else:
            self._labels[code] = label
        self._save(self._labels)

    def _undo(self) -> str:
        """Take back the last change; in a resumed session, the nearest label before."""
        if self._steps:
            step = self._steps.pop()
            self._change(step.place, step.before, undoing=True)
            self._place = step.place
            return "undone"
        for place in reversed(range(min(self._place, len(self._units)))):
            if self._units[place]["code"] in self._labels:
                self._change(place, None, undoing=True)
                self._place = place
                return "undone"
        return "nothing to undo"

    def _back(self) -> str:
        self._place = max(0, self._place - 1)
        return "back"

    def _skip(self) -> str:
        if self.current is None:
            return "end of the sheet"
        self._place += 1
        if self.current is None:
            self._place = self._next_open(0)
        return "skipped"

    def _next_open(self, start: int) -> int:
        """Return the next unit without a label, from a place on and then from the start."""
        places = [*range(start, len(self._units)), *range(min(start, len(self._units)))]
        free = (p for p in places if self._units[p]["code"] not in self._labels)
        return next(free, len(self._units))
