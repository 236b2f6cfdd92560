"""Reads the logs of other tools: each module maps one tool's record to the fields of a row.

A mapping is a pure function; a value that is not there is None, and the fields of the row say
whether it can be done without. Gold in all of them: a list ``gold`` where the tool lets a user
carry one, for a reference answer is seldom a name.
"""

from collections.abc import Mapping

from copyceiling.check.adapters import inspect_ai, lm_eval, promptfoo, ragas, ragchecker
from copyceiling.check.adapters.record import Adapter

ADAPTERS: Mapping[str, Adapter] = {
    "inspect": Adapter(inspect_ai.records, inspect_ai.row),
    "lm-eval": Adapter(None, lm_eval.row),
    "promptfoo": Adapter(promptfoo.records, promptfoo.row),
    "ragas": Adapter(None, ragas.row, ragas.NAMES),
    "ragchecker": Adapter(ragchecker.records, ragchecker.row, ragchecker.NAMES),
}
