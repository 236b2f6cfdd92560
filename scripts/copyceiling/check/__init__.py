"""The check for any system that answers from a context: rows in, a report out.

    from copyceiling import check

    report = check.rows([
        {"id": "1", "question": "What does sourdough need?", "gold": ["Levain"],
         "context": ["Sourdough needs Levain."], "answer": "A levain."},
    ])
    report.systems[0].of("paper", "as_received").gain   # 0.0
    print(check.page(report))

No model is called and nothing is read but the rows. `docs/check.md` has the fields and how to read
the report; ``copyceiling check`` is the same from the command line.
"""

from copyceiling.check.api import check_files, check_rows
from copyceiling.check.display import page
from copyceiling.check.faults import BadRow, BadRowsError, CheckError, Fault, UnreadFieldError
from copyceiling.check.report import Measures, Pair, Report, SystemReport
from copyceiling.check.write import write_report

rows, files, write = check_rows, check_files, write_report

__all__ = [
    "BadRow",
    "BadRowsError",
    "CheckError",
    "Fault",
    "Measures",
    "Pair",
    "Report",
    "SystemReport",
    "UnreadFieldError",
    "check_files",
    "check_rows",
    "files",
    "page",
    "rows",
    "write",
    "write_report",
]
