"""Made-up material for a report: as many rows as a test wants, with whatever text."""

from collections.abc import Callable, Sequence
from typing import Any

from copyceiling.config import load_study
from copyceiling.matching import Text, Title, match_all
from copyceiling.report.evidence.records import Answer, Asked, Item, Piece, Shown, visible_text
from copyceiling.report.files import ASSETS
from copyceiling.report.material import Material
from copyceiling.report.page import page
from copyceiling.report.provenance import Artefact

from tests.conftest import ROOT, SMOKE

FOLDER = ROOT / "scripts" / "copyceiling" / "report" / "assets"


def assets() -> dict[str, str]:
    return {name: (FOLDER / name).read_text(encoding="utf-8") for name in ASSETS}


def make_answer(
    number: int,
    *,
    model: str = "model-a",
    arm: str = "scaffold",
    status: str = "ok",
    gold: Sequence[str] = ("Rye Bread",),
    block: str = "## Loaf\nis-a: Rye Bread",
    prompt: str = "Of what kind is it?",
    text: str | None = "Rye bread.",
    part: str = "sweep",
    gold_type: str = "all",
    **fields: Any,
) -> Answer:
    """Return an answer whose items are matched as the pipeline matches them."""
    asked = Asked(part, f"q{number:04d}", "baking", "T-TAX", gold_type, prompt, tuple(gold))
    question = (Piece("question", prompt),)
    shown: Shown = (question,)
    if arm != "raw" and block:
        shown = ((Piece("preamble", "Notes.\n\n"), Piece("block", block)), question)
    titles = [Title.of(title) for title in gold]
    exposed = match_all(titles, Text.of(visible_text(shown)))
    found = match_all(titles, Text.of(text or ""))
    items = [Item(s.path, s.strict, f.path, f.strict) for s, f in zip(exposed, found, strict=True)]
    hits = sum(f.paper for f in found)
    given = {"n_hits": hits, "items": items, **fields}
    return Answer(asked, shown, model, arm, status, text, **given)


def make_material(answers: Sequence[Answer], **fields: Any) -> Material:
    """Return a study without tables: a page that has its evidence and little else."""
    models = list(dict.fromkeys(a.model for a in answers))
    given: dict[str, Any] = {
        "study": load_study(ROOT / SMOKE),
        "generation": {
            "name": "bakery",
            "version": "1",
            "source": "made up",
            "licence": "Apache-2.0",
            "sha256": "0" * 64,
            "n_classes": 3,
        },
        "n_questions": {"T-TAX": len({a.asked.id for a in answers})},
        "n_domains": 1,
        "people": ["A. Baker"],
        "software": {"copyceiling": "0"},
        "groups": {m: "reader" if m.startswith("reader") else "model" for m in models},
        "tables": {},
        "displayed": {},
        "cautions": {},
        "figures": {},
        "chain": [Artefact("corpus/classes", "a" * 64, 3, "read_corpus", "read_corpus.py", ())],
        "answers": answers,
    }
    return Material(**{**given, **fields})


def make_page(answers: Sequence[Answer], **fields: Any) -> str:
    return page(make_material(answers, **fields), assets())


def many(n: int, text: Callable[[int], str] | None = None) -> list[Answer]:
    """Return answers with ``n`` gold items in all, by two models in two arms."""
    out = []
    for i in range(n // 4):
        for model in ("model-a", "model-b"):
            for arm in ("raw", "scaffold"):
                said = text(i) if text else f"It is rye bread number {i}. " * 20
                gold = ["Rye Bread"] if (i + len(model)) % 3 else ["Spelt Bread"]
                block = f"## Loaf {i}\nis-a: Rye Bread; oven {i} " + "flour water salt " * 80
                out.append(
                    make_answer(i, model=model, arm=arm, gold=gold, block=block, text=said,
                                prompt=f"Of what kind is loaf {i}?")
                )  # fmt: skip
    return out
