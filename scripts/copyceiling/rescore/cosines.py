"""Best cosines of texts with gold titles: measured with an encoder, or replayed.

A cosine is kept in whole ten-thousandths. From one machine to another float32 sums move by less,
but for one on the edge between two, so a check allows a difference of one.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.embedding import Embedder, EmbedderSpec
from copyceiling.errors import ConfigError, EmbeddingError, listing
from copyceiling.rescore.plan import Plan, digest
from copyceiling.rescore.spans import spans

SCALE = 10_000
TOLERANCE = 1
Row = Mapping[str, Any]
HOW_TO_EMBED = (
    "Embed what is missing, then freeze it:\n"
    "  snakemake rescore --config 'rescore={vectors: live}'\n  copyceiling freeze --cosines"
)


def scaled(cosine: float) -> int:
    """Return a cosine in whole ten-thousandths."""
    return round(cosine * SCALE)


def threshold_of(value: float) -> int:
    """Return a configured threshold in whole ten-thousandths.

    Raises:
        ConfigError: It has more than four decimals, so no kept cosine could be compared with it.
    """
    found = scaled(value)
    if abs(found - value * SCALE) > 1e-6:
        raise ConfigError(f"rescore.thresholds: {value} has more than four decimals")
    return found


def measure(plan: Plan, embedder: Embedder) -> list[dict[str, Any]]:
    """Return the rows of `COSINES` for a plan.

    Each distinct string is embedded once. A span beyond the encoder's window counts with the best
    of its windows.
    """
    cut = {key: sorted(spans(text)) for key, text in plan.texts.items()}
    distinct = sorted({span for found in cut.values() for span in found})
    pieces = dict(zip(distinct, embedder.windows(distinct), strict=True))
    titles = sorted({title for found in plan.titles.values() for title in found})
    strings = sorted({piece for found in pieces.values() for piece in found} | set(titles))
    place = {string: i for i, string in enumerate(strings)}
    vectors = embedder.encode(strings)
    rows: list[dict[str, Any]] = []
    for key, found in cut.items():
        wanted = sorted(plan.titles[key])
        at = [place[piece] for span in found for piece in pieces[span]]
        best = (vectors[at] @ vectors[[place[t] for t in wanted]].T).max(axis=0)
        n_long = sum(len(pieces[span]) > 1 for span in found)
        rows += [
            {
                "text": key,
                "gold": digest(title),
                "embedder": embedder.identity.digest,
                "cosine": scaled(cosine),
                "n_spans": len(found),
                "n_long": n_long,
            }
            for title, cosine in zip(wanted, best.tolist(), strict=True)
        ]
    return rows


def split_plan(plan: Plan, frozen: Iterable[Row], spec: EmbedderSpec) -> tuple[list[Row], Plan]:
    """Return the frozen rows that a plan asks for, and the part of the plan they leave open.

    Rows of another encoder, or of other bytes of this one, answer nothing.
    """
    pairs = plan.pairs
    kept = [
        row
        for row in frozen
        if row["embedder"] == spec.digest and (row["text"], row["gold"]) in pairs
    ]
    had = {(row["text"], row["gold"]) for row in kept}
    rest = Plan()
    for pair, (key, title) in pairs.items():
        if pair not in had:
            rest.add(plan.texts[key], [title])
    return kept, rest


def replay(plan: Plan, frozen: Sequence[Row], spec: EmbedderSpec, study: str) -> list[Row]:
    """Return the frozen rows of a plan.

    Raises:
        EmbeddingError: Counts and names the texts whose cosines were never frozen.
    """
    kept, rest = split_plan(plan, frozen, spec)
    if rest.texts:
        missing = sum(len(titles) for titles in rest.titles.values())
        shown = [f"{k[:16]}...  {' '.join(t.split())[:70]}" for k, t in sorted(rest.texts.items())]
        raise EmbeddingError(
            f"study '{study}', embedder '{spec.name}': {missing} of {len(plan.pairs)} cosines, of "
            f"{len(rest.texts)} text(s), were never frozen:\n{listing(shown, 5)}\n"
            f"A text, a title or the encoder differs from the frozen run. {HOW_TO_EMBED}"
        )
    return kept


def attest(frozen: Sequence[Row], measured: Sequence[Row], key: Sequence[str]) -> None:
    """Check frozen cosines against ones measured anew, to within one ten-thousandth.

    Args:
        frozen: What is claimed.
        measured: The same, measured here.
        key: Names of the key columns.

    Raises:
        EmbeddingError: Lists the cosines that differ by more.
    """
    found = {tuple(row[k] for k in key): row["cosine"] for row in measured}
    wrong = []
    for row in frozen:
        at = tuple(row[k] for k in key)
        if abs(row["cosine"] - found[at]) > TOLERANCE:
            name = ", ".join(f"{k} {row[k][:16]}..." for k in key)
            wrong.append(f"{name}: frozen {row['cosine']}, found {found[at]}")
    if wrong:
        raise EmbeddingError(
            f"{len(wrong)} of {len(frozen)} frozen cosines (in 1/10000) are not what this machine "
            f"measures:\n{listing(wrong)}"
        )


def hits(cosines: Sequence[int | None], threshold: int) -> list[bool]:
    """Return whether each best cosine reaches a threshold; a missing one does not."""
    return [cosine is not None and cosine >= threshold for cosine in cosines]
