"""Cells of a sheet that a spreadsheet program must not run, and the same cells read back.

An answer may begin with ``=``, ``+``, ``-`` or ``@``, which a spreadsheet takes for a formula. Such
a cell gets an apostrophe in front, which makes it text; so does one that begins with an apostrophe
of its own, so that reading back gives every text as it was.
"""

# The wide forms of the four count in some locales.
_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
_BREAKS = frozenset("\t\r\n\0")
_GUARD = "'"


def harmless(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"{_GUARD}{text}" if _is_risky(text) else text


def restore(cell: str) -> str:
    """Return the text that `harmless` made a cell of; a cell of another origin stays as it is."""
    return cell[1:] if cell.startswith(_GUARD) and _is_risky(cell[1:]) else cell


def _is_risky(text: str) -> bool:
    # Spreadsheets skip blanks before a formula, and what follows a guard may be a guard.
    bare = text.lstrip()
    return text[:1] in _BREAKS or bare[:1] in _FORMULA or text[:1] == _GUARD
