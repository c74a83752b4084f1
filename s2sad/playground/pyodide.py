"""Pyodide, Python for the browser: its version, its folder, and from where a page loads it otherwise."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics import Code, Rejected, diagnose

VERSION = "314.0.7"
"""The version that the page is tested with. It is an npm package: `npm pack pyodide@VERSION`."""
CDN = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_UNPACKED = "package"  # the folder in what `npm pack` downloads
PLACE = "S2SAD_PYODIDE"
"""The environment variable that names a folder with these files."""


@dataclass(frozen=True)
class Pyodide:
    """A folder with Pyodide's files, or None if pages load them from the network; and the version."""

    folder: Path | None
    version: str = VERSION

    @property
    def address(self) -> str:
        """The address of the files, as seen from the page."""
        return CDN if self.folder is None else f"pyodide-{self.version}/"


def found(asked: str | None) -> Pyodide:
    """Return the folder that was asked for, else a known one that has the files. Raises Rejected."""
    if asked is not None:
        return _in(Path(asked))
    for place in _known():
        for inner in (place, place / _UNPACKED):
            if not _missing(inner):
                return Pyodide(inner, _version(inner))
    return Pyodide(None)


def cached() -> Path:
    """Return the folder in which Pyodide is looked for without being asked."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("s2sad")) / f"pyodide-{VERSION}"


def _known() -> list[Path]:
    named = os.environ.get(PLACE)
    return [*([Path(named)] if named else []), cached()]


def _in(place: Path) -> Pyodide:
    inner = place / _UNPACKED
    place = inner if _missing(place) and inner.is_dir() else place
    missing = _missing(place)
    if missing:
        reason = f"it has no {missing[0]}: Pyodide {VERSION} is what `npm pack pyodide@{VERSION}` downloads"
        raise Rejected(diagnose(Code.UNREADABLE, None, file=str(place), reason=reason))
    return Pyodide(place, _version(place))


def _missing(place: Path) -> list[str]:
    return [name for name in FILES if not (place / name).is_file()]


def _version(place: Path) -> str:
    """Return the version that the folder's package names, else the one that is expected."""
    try:
        version = json.loads((place / "package.json").read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, KeyError):
        return VERSION
    return str(version)
