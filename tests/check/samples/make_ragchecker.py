"""Writes ragchecker.json with RAGChecker's own containers.

The package's ``__init__`` imports a claim checker with its models; the containers need none of it.
"""

import importlib.util
import sys
import types
from pathlib import Path

package = types.ModuleType("ragchecker")
package.__path__ = list(importlib.util.find_spec("ragchecker").submodule_search_locations)
sys.modules["ragchecker"] = package

from ragchecker.container import RAGResult, RAGResults, RetrievedDoc  # noqa: E402

SOURDOUGH = [RetrievedDoc("d1", "Sourdough needs Levain."), RetrievedDoc("d2", "Bread is old.")]
results = RAGResults(
    results=[
        RAGResult("1", "What does sourdough need?", "Levain", "A Levain.", SOURDOUGH),
        RAGResult(
            "2", "What does brioche need?", "Butter", "", [RetrievedDoc("d3", "Brioche is sweet.")]
        ),
        RAGResult("3", "What does rye bread need?", "Rye Flour", "Rye Flour, surely.", None),
    ]
)
Path("ragchecker.json").write_text(results.to_json(indent=2))
