"""A local server that behaves, and misbehaves, as a model hub."""

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Hub(ThreadingHTTPServer):
    """Serves files of one repository at one commit, or does what ``behaviour`` says.

    Args:
        repository: Its owner and name.
        commit: The only one there is.
        files: Path in the repository to bytes.
    """

    def __init__(self, repository: str, commit: str, files: Mapping[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behaviour = "serve"
        self.commit, self.files = commit, dict(files)
        self.root = f"/{repository}/resolve/{commit}/"
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def answer(self, *, body: bool) -> None:
        self.server.asked.append(f"{self.command} {self.path}")
        held = self.server.files.get(self.path.removeprefix(self.server.root), b"")
        code = {"forbid": 401, "break": 500}.get(self.server.behaviour, 200 if held else 404)
        self.send_response(code)
        if code == 404:
            self.send_header("X-Error-Code", "EntryNotFound")
        held = held if code == 200 else b""
        self.send_header("Content-Length", str(len(held)))
        self.send_header("ETag", f'"{hashlib.sha256(held).hexdigest()}"')
        self.send_header("X-Repo-Commit", self.server.commit)
        self.end_headers()
        if body:
            self.wfile.write(held[: 100 if self.server.behaviour == "hang up" else None])

    def log_message(self, format: str, *args: object) -> None:
        del format, args


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Serve until the block ends."""
    threading.Thread(target=hub.serve_forever, daemon=True).start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
