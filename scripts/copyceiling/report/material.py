"""What a report is made of: a study's tables and figures as rows, its evidence, its provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from copyceiling.models import JUDGES, ModelSpec
from copyceiling.render import Table
from copyceiling.report.evidence.records import Answer
from copyceiling.report.provenance import Artefact

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Material:
    """Everything that the page shows.

    Attributes:
        study: The study's complete configuration.
        generation: Its row of `GENERATION`: which corpus.
        n_questions: Questions of the sweep, by template.
        n_domains: Their domains.
        people: Who made it, by name.
        software: Name and version of what computed it.
        groups: Label of each model of the sweep to ``model`` or ``reader``, in their order.
        tables: Name of a table to its rows, in printed order.
        displayed: Name of a table to the table as displayed, cautions taken off its caption.
        cautions: Name of a table to what stands across its top against its judges.
        figures: Name of a figure to the rows that it draws.
        chain: How it all came to be.
        answers: The evidence.
        specs: Label of each model of the model table, models, readers and judges, to how it is
            called; labels of a release may be missing.
        frozen_notes: Whether a file beside the study's frozen calls says how they were made.
    """

    study: Mapping[str, Any]
    generation: Row
    n_questions: Mapping[str, int]
    n_domains: int
    people: Sequence[str]
    software: Mapping[str, str]
    groups: Mapping[str, str]
    tables: Mapping[str, Sequence[Row]]
    displayed: Mapping[str, Table]
    cautions: Mapping[str, Sequence[str]]
    figures: Mapping[str, Sequence[Row]]
    chain: Sequence[Artefact]
    answers: Sequence[Answer]
    specs: Mapping[str, ModelSpec] = field(default_factory=dict)
    frozen_notes: bool = False

    @property
    def policy(self) -> str:
        """What tables show for completions that are not ok."""
        return str(self.study["statistics"]["missing"])

    @property
    def rules(self) -> frozenset[str]:
        """Labels that are rules, no models."""
        return frozenset(JUDGES) | {m for m, spec in self.specs.items() if spec.is_reference}

    def declared(self, table: str) -> list[Row]:
        """Return the rows of Table 4 or 5 under the paper's matcher and the declared policy."""
        return [
            r
            for r in self.tables.get(table, ())
            if (r["matcher"], r["policy"]) == ("paper", self.policy)
        ]
