"""Writes ``docs/data-dictionary.md``: what every artefact holds, from the schemas in the code.

Run by ``make dictionary``; a test fails when the page and the schemas differ. Where an artefact
lies is read from the rules (``name=artefact("path")``) and the scripts (``write(name, rows, SCHEMA,
made)``).
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from copyceiling.artefacts.schema import Column, Schema, canonical_type  # noqa: E402
from copyceiling.check.schemas import (  # noqa: E402
    CHECK_BAD,
    CHECK_PAIRS,
    CHECK_ROWS,
    CHECK_SYSTEMS,
)
from copyceiling.difference import SCHEMAS  # noqa: E402
from copyceiling.tables import LAYOUTS  # noqa: E402

PAGE = ROOT / "docs" / "data-dictionary.md"
_CHECK = {
    "rows": CHECK_ROWS,
    "systems": CHECK_SYSTEMS,
    "pairs": CHECK_PAIRS,
    "bad_rows": CHECK_BAD,
}
# Frozen inputs are written by `copyceiling freeze`, not by a rule.
_FROZEN = {"calls": "calls/{model}", "attempts": "attempts/{model}"}
_HEAD = """\
# Data dictionary

What every artefact holds. Written from the schemas in `scripts/copyceiling/artefacts` by
`make dictionary`; do not edit. Artefacts are Parquet files below `results/<study>/`, their rows
unique by their key and in its order; what a column holds, and its unit, ride in the file's own
field metadata.

- *May lack* says that a value may be missing. Missing is never 0: where a number is undefined, it
  is missing, and a status or a count beside it says why.
- *Volatile* columns (latency, cost, time) cannot reproduce and stay out of the content hash.
- Names in braces stand for what there are several of: models, judges, tables.
"""


def places() -> dict[str, list[str]]:
    """Return where artefacts of each schema lie, below the results folder."""
    found: dict[str, list[str]] = {}
    written = {p.stem: dict(_written(p)) for p in sorted((ROOT / "scripts").glob("*.py"))}
    for script, name, path in _outputs():
        schema = written.get(script, {}).get(name)
        if schema and path not in found.setdefault(schema, []):
            found[schema].append(path)
    for table, layout in LAYOUTS.items():
        found.setdefault(layout.schema.name, []).append(f"tables/{table}")
    return found


def _written(script: Path) -> Iterator[tuple[str, str]]:
    """Yield each output that a script writes, with the name of its schema."""
    module = ast.parse(script.read_text(encoding="utf-8"))
    constants = _constants()
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            names = [a.id for a in node.args if isinstance(a, ast.Name)]
            schema = next((n for n in names if n in constants), None)
            if node.func.id == "write" and names and schema:
                yield names[0], constants[schema]


def _constants() -> dict[str, str]:
    """Return the names of the schemas' constants in the code, to the schemas' own names."""
    text = "".join(
        p.read_text(encoding="utf-8")
        for p in sorted((ROOT / "scripts" / "copyceiling" / "artefacts").glob("*schemas.py"))
    )
    return dict(re.findall(r'^([A-Z][A-Z0-9_]+) = Schema\(\s*"(\w+)"', text, re.MULTILINE))


def _outputs() -> Iterator[tuple[str, str, str]]:
    """Yield script, output name and path of each artefact that a rule makes."""
    for file in sorted((ROOT / "rules").glob("*.smk")):
        text = "\n" + file.read_text(encoding="utf-8")
        for rule in re.split(r"\n\s*rule ", text)[1:]:
            script = re.search(r"scripts/(\w+)\.py", rule)
            made = re.search(r"\boutput:(.*?)\n\s*log:", rule, re.DOTALL)
            if script is None or made is None:
                continue
            for name, path in re.findall(r'(\w+)=artefact\(f?"([^"]+)"\)', made[1]):
                yield script[1], name, path
            for name in re.findall(r'\bfigure\("(\w+)"\)', made[1]):
                yield script[1], "parquet", f"figures/{name}"


def page() -> str:
    """Return the page."""
    where = {**places(), **{name: [f"data/<study>/{path}"] for name, path in _FROZEN.items()}}
    tables = {layout.schema.name for layout in LAYOUTS.values()}
    groups = {
        "Artefacts": [s for n, s in SCHEMAS.items() if n not in tables],
        "Tables": [s for n, s in SCHEMAS.items() if n in tables],
    }
    parts = [_HEAD]
    for heading, schemas in groups.items():
        parts += [f"## {heading}\n", _index(schemas, where)]
        parts += [_section(schema, where.get(schema.name, [])) for schema in schemas]
    parts.append("## Files of `copyceiling check`\n")
    parts += [_section(s, [f"{name}.parquet"]) for name, s in _CHECK.items()]
    return "\n".join(parts)


def _index(schemas: list[Schema], where: dict[str, list[str]]) -> str:
    lines = ["| Schema | Where | Holds |", "| --- | --- | --- |"]
    for schema in schemas:
        paths = ", ".join(f"`{p}`" for p in where.get(schema.name, []))
        lines.append(f"| [`{schema.name}`](#{schema.name}) | {paths} | {_plain(schema.doc)} |")
    return "\n".join(lines) + "\n"


def _section(schema: Schema, paths: list[str]) -> str:
    lies = f" In {', '.join(f'`{p}`' for p in paths)}." if paths else ""
    lines = [
        f"### {schema.name}",
        "",
        f"{_plain(schema.doc)}{lies} Key: {', '.join(f'`{k}`' for k in schema.key)}.",
        "",
        "| Column | Type | Unit or range | Holds |",
        "| --- | --- | --- | --- |",
        *(_row(column) for column in schema.columns),
        "",
    ]
    return "\n".join(lines)


def _row(column: Column) -> str:
    marks = [
        m for m, is_so in (("may lack", column.nullable), ("volatile", column.volatile)) if is_so
    ]
    note = f" *{', '.join(marks).capitalize()}.*" if marks else ""
    kind = canonical_type(column.type)
    unit = column.unit.replace("|", "\\|")
    return f"| `{column.name}` | {kind} | {unit} | {_plain(column.doc)}{note} |"


def _plain(text: str) -> str:
    """Return a sentence as a table's cell can hold it."""
    held = text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
    return held if held.endswith((".", "?")) else f"{held}."


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
