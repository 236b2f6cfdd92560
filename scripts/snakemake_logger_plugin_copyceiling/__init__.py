"""Snakemake's terminal output for this workflow; profiles/default/config.yaml names it.

The complete record is in .snakemake/log; `snakemake --workflow-profile none --cores all` shows it.
"""

import sys
from logging import LogRecord

from copyceiling.terminal import Terminal
from snakemake_interface_logger_plugins.base import LogHandlerBase


class LogHandler(LogHandlerBase):
    """Writes to stderr what `copyceiling.terminal` makes of each record."""

    def __post_init__(self) -> None:
        """Keep what was told so far in one place."""
        self._terminal = Terminal(bool(self.common_settings.dryrun), self.format)

    def emit(self, record: LogRecord) -> None:
        """Show a record."""
        try:
            lines = self._terminal.lines(record)
            if lines:
                print(lines, file=sys.stderr, flush=True)
        except Exception:
            self.handleError(record)

    @property
    def writes_to_stream(self) -> bool:
        """It takes the place of Snakemake's own output."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """It writes no file."""
        return False

    @property
    def has_filter(self) -> bool:
        """Snakemake's filter stays, so that --quiet works."""
        return False

    @property
    def has_formatter(self) -> bool:
        """Snakemake's formatter stays, for what is shown as it is."""
        return False

    @property
    def needs_rulegraph(self) -> bool:
        """It draws nothing."""
        return False
