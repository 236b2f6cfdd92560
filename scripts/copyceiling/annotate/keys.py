"""Reads single keys from a terminal, or lines where there is none.

Without a terminal that gives single keys (a pipe, another system), a line stands for the key that
it begins with, so the same session can be typed, piped or scripted.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

END = ""  # no more input
_ESCAPE = "\x1b"
_SEQUENCE_S = 0.05  # an arrow key sends its bytes at once; Escape alone sends no more
_CHUNK = 1_024


@contextmanager
def key_reader(stream: TextIO) -> Iterator[tuple[Callable[[], str], Callable[[], str]]]:
    """Give two readers of a stream: of a single key, and of a whole line; `END` at its end."""
    terminal = _terminal(stream)
    if terminal is None:
        yield lambda: _first(stream.readline()), lambda: stream.readline().rstrip("\r\n")
        return
    termios, tty, number = terminal
    before = termios.tcgetattr(number)
    waiting: deque[str] = deque()

    def key() -> str:
        if not waiting:
            waiting.extend(_chunk(number))
        return waiting.popleft() if waiting else END

    def line() -> str:
        waiting.clear()
        termios.tcsetattr(number, termios.TCSADRAIN, before)
        try:
            return stream.readline().rstrip("\r\n")
        finally:
            tty.setcbreak(number)

    try:
        tty.setcbreak(number)
        yield key, line
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _chunk(number: int) -> str:
    """Return what was typed; what an arrow or function key sends is one key of no meaning.

    The letters of its sequence must never count as labels.
    """
    import select

    text = os.read(number, _CHUNK).decode("utf-8", "replace")
    if text == _ESCAPE and select.select([number], [], [], _SEQUENCE_S)[0]:
        text += os.read(number, _CHUNK).decode("utf-8", "replace")
    before, mark, _ = text.partition(_ESCAPE)
    return before + mark


def _first(line: str) -> str:
    """Return the key that a line stands for; an empty line is a key of no meaning."""
    return line.strip()[:1] or ("\n" if line else END)


def _terminal(stream: TextIO) -> tuple[Any, Any, int] | None:
    """Return what gives single keys, None where a stream cannot."""
    try:
        import termios
        import tty

        return (termios, tty, stream.fileno()) if stream.isatty() else None
    except (ImportError, OSError, ValueError):
        return None
