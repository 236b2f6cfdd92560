"""Turns the library's values into artefact rows and back, a module a stage."""

from typing import Any

Row = dict[str, Any]
