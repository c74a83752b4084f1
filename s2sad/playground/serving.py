"""Serve the playground's files on this machine, from memory."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

HOST = "127.0.0.1"
_TYPES = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
}
_FOREVER = "max-age=31536000, immutable"


class Server(ThreadingHTTPServer):
    """A server for these files, reachable from this machine only. Raises OSError if the port is taken."""

    daemon_threads = True

    def __init__(self, files: Mapping[str, bytes], port: int) -> None:
        self.files = files
        super().__init__((HOST, port), _Handler)

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "s2sad"

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, with_body: bool) -> None:
        if self.headers.get("Host", "").partition(":")[0] not in (HOST, "localhost"):
            self.send_error(HTTPStatus.FORBIDDEN)  # another site's name for this machine
            return
        parts = urlsplit(self.path)
        name = unquote(parts.path).removeprefix("/") or "index.html"
        data = self.server.files.get(name)
        if data is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", _type(name))
        self.send_header("Content-Length", str(len(data)))
        # a name with a hash or a version never means other bytes
        is_fixed = bool(parts.query) or name.startswith("pyodide-")
        self.send_header("Cache-Control", _FOREVER if is_fixed else "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        if with_body:
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: requests aren't of interest to anybody."""


def _type(name: str) -> str:
    suffix = name[name.rfind(".") :]
    found = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{found}; charset=utf-8" if found.startswith("text/") else found
