"""`s2sad playground`: a page that transforms kernels in the browser, served here or written for a host."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..diagnostics import Diagnostic, Rejected
from .arguments import request, usage
from .outcome import DONE, Outcome

if TYPE_CHECKING:
    from ..playground.pyodide import Pyodide
    from ..playground.serving import Server

_PORT = 8737
_PORTS = 65535


@click.command()
@click.option("--port", type=int, default=None, metavar="N", help=f"Default: {_PORT}, or a free one.")
@click.option("--no-open", is_flag=True, help="Print the address; open no browser.")
@click.option("--pyodide", "place", metavar="DIR", help="A folder with Pyodide, for use without a network.")
@click.option("--build", "target", metavar="DIR", help="Write the page to DIR, for hosting; serve nothing.")
@click.option("--json", "as_json", is_flag=True, help="Messages as one JSON object on standard error.")
def playground(
    port: int | None, no_open: bool, place: str | None, target: str | None, as_json: bool
) -> Outcome:
    """Open a page that shows the adjoint of a kernel while you type it.

    The transformation runs in the browser: nothing that you type is sent anywhere. The page needs Pyodide,
    Python for browsers: from --pyodide, the cache folder, or the network. Ctrl-C ends the server.
    """
    request({}, *_problems(port, no_open, target))
    from ..playground import pyodide, site

    found = pyodide.found(place)
    if target is not None:
        names = site.build(found, Path(target))
        said = f"wrote {len(names)} files to {target}; {_says(found)}\n"
        return Outcome(remarks=said, data={"files": list(names), "pyodide": found.address})
    return _served(_server(site.site(found), port), found, not no_open)


def _problems(port: int | None, no_open: bool, target: str | None) -> list[Diagnostic]:
    wrong = []
    if port is not None and not 0 <= port <= _PORTS:
        wrong.append(usage(f"--port {port}: not a port", f"0 to {_PORTS}; 0 is any free one"))
    if target is not None:
        given = (("--port", port is not None), ("--no-open", no_open))
        wrong += [usage(f"--build serves nothing: {flag} has no meaning") for flag, on in given if on]
    if target == "":
        wrong.append(usage("--build: '' isn't a folder"))
    return wrong


def _says(found: Pyodide) -> str:
    """Return where the page gets Pyodide from, and what that means without a network."""
    from ..playground import pyodide

    if found.folder is not None:
        return f"Pyodide {found.version} comes from {found.folder}, so the page needs no network"
    return (
        f"the page loads Pyodide {found.version} (13 MB) from {found.address}\n"
        "and can't start without a network, unless a folder has Pyodide: --pyodide DIR, or\n"
        f"{pyodide.cached()}; `npm pack pyodide@{found.version}` gets it"
    )


def _server(files: dict[str, bytes], port: int | None) -> Server:
    """Return a server on that port, without one on the usual or any free one. Raises Rejected."""
    from ..playground.serving import Server

    try:
        return Server(files, _PORT if port is None else port)
    except OSError as error:
        if port is None:
            return Server(files, 0)
        reason = (error.strerror or str(error)).lower()
        help = "another port, or 0: any free one"
        raise Rejected(usage(f"--port {port}: cannot serve there: {reason}", help)) from None


def _served(server: Server, found: Pyodide, is_shown: bool) -> Outcome:
    sys.stderr.write(f"{server.address}\n{_says(found)}\nCtrl-C ends it\n")
    sys.stderr.flush()
    if is_shown:
        import webbrowser

        webbrowser.open(server.address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
    return Outcome(DONE)
