"""Wheels of this s2sad and of what it imports, made of the installed files: the page runs the same versions.

Only what a transformation imports is packed, and of that only Python: markupsafe does without its compiled
part.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

from ..diagnostics import Code, Rejected, diagnose
from ..resources import folder
from ..version import VERSION

NEEDED = ("click", "jinja2", "markupsafe", "pcpp", "pycparser")
_DATE = (1980, 1, 1, 0, 0, 0)  # the same files make the same bytes
_TAG = "py3-none-any"
_COMPILED = (".so", ".pyd", ".pyc", ".pyo", ".c")
_PACKAGE = Path(__file__).resolve().parents[1]
_BESIDE = {"templates": "*", "docs": "*.md"}
"""The folders that come into the package, and what of each: `examples` are in the page itself."""


@cache
def wheels() -> dict[str, bytes]:
    """Return all wheels by file name. Raises Rejected if a package isn't installed."""
    made = (*(_installed(name) for name in NEEDED), ("s2sad", VERSION, dict(_own())))
    return {f"{name}-{version}-{_TAG}.whl": _packed(name, version, files) for name, version, files in made}


def _installed(name: str) -> tuple[str, str, dict[str, bytes]]:
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        raise Rejected(
            diagnose(Code.UNREADABLE, None, file=f"the package {name}", reason="it isn't installed")
        ) from None
    return name, found.version, dict(_files(found))


def _files(found: metadata.Distribution) -> Iterator[tuple[str, bytes]]:
    for path in found.files or ():
        inside = path.parts[0] != ".." and not path.is_absolute() and not path.parts[0].endswith(".dist-info")
        if inside and "__pycache__" not in path.parts and path.suffix not in _COMPILED:
            yield path.as_posix(), path.read_binary()


def _own() -> Iterator[tuple[str, bytes]]:
    """Return the package's files, and those that a checkout has beside it."""
    for path in sorted(_PACKAGE.rglob("*")):
        inner = path.relative_to(_PACKAGE)
        if path.is_file() and not {"__pycache__", "examples", *_BESIDE} & {*inner.parts}:
            yield f"s2sad/{inner.as_posix()}", path.read_bytes()
    for name, pattern in _BESIDE.items():
        for path in sorted(folder(name).rglob(pattern)):
            if path.is_file():
                yield f"s2sad/{name}/{path.relative_to(folder(name)).as_posix()}", path.read_bytes()


def _packed(name: str, version: str, files: Mapping[str, bytes]) -> bytes:
    about = f"{name}-{version}.dist-info"
    told = {
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{about}/WHEEL": f"Wheel-Version: 1.0\nGenerator: s2sad\nRoot-Is-Purelib: true\nTag: {_TAG}\n",
    }
    every = {**files, **{path: text.encode() for path, text in told.items()}}
    record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in every.items())
    every[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in every.items():
            archive.writestr(zipfile.ZipInfo(path, _DATE), data, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
