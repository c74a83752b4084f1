"""The review page, served to the browser of this machine: it is drawn anew when a file is saved.

A page is drawn for each request, without waiting for the check, which runs beside it. A page asks for
events; the server ends the wait when a file that the page was drawn from changes, or when its check is done.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from . import compile_commands, faults, files, messages, pipeline, project_options, reviewing
from .checking import BackendName
from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .options import Options, Unclear
from .review import controls
from .review.changes import changes
from .review.checked import Checked
from .review.controls import Live
from .review.page import page, refusal
from .run.backend import BackendUnavailable

HOST = "127.0.0.1"
_OFTEN = 0.25  # seconds between two looks at the files
_ALIVE = 15.0  # seconds after which a waiting page hears something
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
Query = Mapping[str, list[str]]
_Key = tuple[Options, str]
"""What a check depends on: the options, and the stamp of the files."""


@dataclass(frozen=True)
class Subject:
    """What is served: a kernel's file, its options, its case, an older adjoint, and how it is checked."""

    file: str
    options: Options
    case: str | None = None
    no_check: bool = False
    compare: str | None = None
    backend: BackendName = "auto"
    timeout: float | None = None

    @property
    def on(self) -> reviewing.Case:
        """The case as it is now: it may be written while the page is shown."""
        if self.no_check:
            return reviewing.Case(why_not="--no-check")
        return reviewing.Case.of(self.file, self.case)

    def read_from(self) -> set[str]:
        """Return the files that the page depends on, there or not."""
        found = {self.file, os.path.splitext(self.file)[0] + ".toml", *self.options.rules}
        found |= {path for path in (self.case, self.compare) if path is not None}
        found |= set(_headers(self.file, self.options.includes))
        for folder in files.above(self.file):
            names = (project_options.NAME, project_options.SHARED, compile_commands.NAME)
            found |= {os.fspath(folder / name) for name in names}
        return found


def _headers(file: str, folders: Iterable[str]) -> Iterator[str]:
    """Yield the headers that a file includes, and those that they include."""
    seen: set[str] = set()
    left = [file]
    while left:
        path = left.pop()
        for name in _INCLUDE.findall(files.content(path) or ""):
            for folder in (os.path.dirname(path), *folders, files.folder_of(name, file)):
                found = os.path.join(folder, name)
                if os.path.isfile(found) and os.path.realpath(found) not in seen:
                    seen.add(os.path.realpath(found))
                    left.append(found)
                    yield found


@dataclass
class Pages:
    """The pages of a subject, and the checks that are done or running."""

    subject: Subject
    _checks: dict[_Key, Checked | None] = field(default_factory=dict)  # None: it runs
    _newest: str = ""  # the stamp of the files that were drawn last
    _keys: dict[str, _Key] = field(default_factory=dict)  # by the query, like the files below
    _watched: dict[str, set[str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _turn: threading.Lock = field(default_factory=threading.Lock)  # of the checks, which run one by one

    def stamp(self, query: str) -> str:
        """Return what changes with the files of a page, and with its check."""
        return self._stamp(query, self._files(query))

    def _stamp(self, query: str, files_: str) -> str:
        key = self._keys.get(query)
        done = key is not None and key[1] == files_ and self._checks.get(key) is not None
        return f"{files_}-{int(done)}"

    def _files(self, query: str) -> str:
        """Return what changes with the files of a page."""
        hashed = hashlib.sha256()
        for path in sorted(self._watched.get(query) or self.subject.read_from()):
            with suppress(OSError):
                told = os.stat(path)
                hashed.update(f"{path} {told.st_mtime_ns} {told.st_size}\n".encode())
        return hashed.hexdigest()[:16]

    def draw(self, query: str) -> tuple[HTTPStatus, str]:
        """Return the page for a query, or that of what is wrong with it."""
        with self._lock:
            self._watched[query] = self.subject.read_from()
            # taken before anything is read: what changes while the page is drawn draws it anew
            files_ = self._files(query)
            stamp = f"{files_}-0"
            name = os.path.basename(self.subject.file)
            try:
                options = controls.asked(parse_qs(query, keep_blank_values=True), self.subject.options)
            except Unclear as unclear:
                wrong = diagnose(Code.USAGE, None, what=unclear.why, help=unclear.help)
                live = Live(controls.of_options(self.subject.options), stamp, query)
                return HTTPStatus.BAD_REQUEST, refusal(name, messages.page([wrong]), live)
            self._keys[query] = options, files_
            stamp = self._stamp(query, files_)
            try:
                return HTTPStatus.OK, self._drawn(query, options, files_, stamp)
            except Rejected as rejected:
                live = Live(controls.of_options(options), stamp, query)
                return HTTPStatus.OK, refusal(name, messages.page(_in_order(rejected)), live)
            except Exception as error:  # ours: the page says so, and goes on watching
                live = Live(controls.of_options(options), stamp, query)
                said = f"internal error: {faults.said(error)}\nplease report it, with the file\n"
                return HTTPStatus.INTERNAL_SERVER_ERROR, refusal(name, said, live)

    def _drawn(self, query: str, options: Options, files_: str, stamp: str) -> str:
        subject = self.subject
        source = files.read(subject.file)
        old = None if subject.compare is None else files.read(subject.compare)
        case, _, whole = reviewing.fitting(options, subject.on)
        done = pipeline.transform(source, whole)
        self._newest, key = files_, (options, files_)
        checked = self._checked(key, done, case)
        since = None if old is None else changes(Path(old.name).name, old.text, done.text)
        offered = controls.of_transformed(done, source, whole)
        state = f"drawn at {time.strftime('%H:%M:%S')}"
        if key in self._checks and self._checks[key] is None:
            state += "; the check runs"
        return page(done, checked, since, Live(offered, stamp, query, state))

    def _checked(self, key: _Key, done: pipeline.Transformed, case: reviewing.Case) -> Checked | None:
        """Return the result of a check; of one that isn't done yet, that it runs."""
        if case.path is None:
            return Checked(why_not=case.why_not) if case.why_not else None
        if key not in self._checks:
            for old in [one for one in self._checks if one[1] != key[1] and self._checks[one] is not None]:
                del self._checks[old]
            self._checks[key] = None
            check = threading.Thread(target=self._check, args=(key, done, case), daemon=True)
            check.start()
        return self._checks[key] or Checked(
            why_not="the check runs now; the page is drawn anew when it is done"
        )

    def _check(self, key: _Key, done: pipeline.Transformed, case: reviewing.Case) -> None:
        with self._turn:
            if self._newest != key[1]:
                del self._checks[key]  # a file was saved since
                return
            self._checks[key] = self._judged(done, case)

    def _judged(self, done: pipeline.Transformed, case: reviewing.Case) -> Checked:
        subject = self.subject
        try:
            found = reviewing.judged(done, case, subject.backend, subject.timeout)
        except Rejected as rejected:
            return Checked(why_not="; ".join(d.title for d in rejected.diagnostics))
        except BackendUnavailable as missing:
            return Checked(why_not=str(missing))
        except Exception as error:
            return Checked(why_not=f"internal error: {faults.said(error)}")
        return found or Checked(why_not="there is no case")


def _in_order(rejected: Rejected) -> list[Diagnostic]:
    return list(messages.in_order(rejected.diagnostics))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    pages: Pages


class _Handler(BaseHTTPRequestHandler):
    """The page under `/`, and the wait for a change under `/events`."""

    server: _Server
    server_version = "s2sad"
    sys_version = ""

    def do_GET(self) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):
            self._get()

    def _get(self) -> None:
        if self.headers.get("Host", "") not in _names(self.server.server_port):
            # another name for this machine: a page from elsewhere that wants to read this one
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        asked = urlsplit(self.path)
        if asked.path == "/":
            status, text = self.server.pages.draw(asked.query)
            self._answer(status, "text/html; charset=utf-8", text.encode())
        elif asked.path == "/events":
            self._wait(parse_qs(asked.query))
        elif asked.path == "/favicon.ico":
            self._answer(HTTPStatus.NO_CONTENT, "image/x-icon", b"")
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def _answer(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self._head(kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _head(self, kind: str) -> None:
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", _POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")

    def _wait(self, asked: Query) -> None:
        """Send an event when the page of a stamp is out of date."""
        stamp, query = (asked.get(key, [""])[0] for key in ("stamp", "query"))
        self.send_response(HTTPStatus.OK)
        self._head("text/event-stream")
        self.end_headers()
        said = time.monotonic()
        self.wfile.write(b": waiting\n\n")
        self.wfile.flush()
        while self.server.pages.stamp(query) == stamp:
            time.sleep(_OFTEN)
            if time.monotonic() - said > _ALIVE:
                said = time.monotonic()
                self.wfile.write(b": still waiting\n\n")
                self.wfile.flush()
        self.wfile.write(b"data: changed\n\n")

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing for a request."""


def _names(port: int) -> tuple[str, ...]:
    return f"{HOST}:{port}", f"localhost:{port}"


def listening(port: int = 0) -> _Server:
    """Return a server for this machine alone, on any free port for 0. Raises Rejected."""
    try:
        return _Server((HOST, port), _Handler)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Rejected(diagnose(Code.PORT_TAKEN, None, port=str(port), reason=reason)) from None


def serve(subject: Subject, port: int, started: Callable[[str], None]) -> None:
    """Serve the page until it is interrupted; `started` gets the address. Raises Rejected."""
    files.read(subject.file)  # a file that can't be read is an error of the command
    with listening(port) as server:
        server.pages = Pages(subject)
        started(f"http://{HOST}:{server.server_port}/")
        with suppress(KeyboardInterrupt):
            server.serve_forever(poll_interval=0.1)
