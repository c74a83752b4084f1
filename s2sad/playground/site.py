"""The playground as files by path: the page, its worker, wheels, and Pyodide if it is on this machine."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from ..diagnostics import Code, Rejected, diagnose
from ..options import MODES, NAMES, SKINS, SUMS
from ..resources import folder, templates
from ..version import VERSION
from .pyodide import FILES, Pyodide
from .wheels import wheels

MANIFEST = "s2sad-playground.json"
"""The list of the files; it tells a folder that was made by `--build` from any other."""
FIRST = "relax"
"""The example that the page begins with."""


class Example(TypedDict):
    """A kernel of the menu; `beside` are the headers that it includes, by name."""

    name: str
    file: str
    about: str
    text: str
    beside: dict[str, str]


def site(pyodide: Pyodide) -> dict[str, bytes]:
    """Return the files of the page. Raises Rejected if one can't be read."""
    packed = {f"wheels/{name}": data for name, data in wheels().items()}
    found = {"review.css": _text("review", "style.css"), "script.js": _text("playground", "script.js")}
    found |= {"style.css": _text("playground", "style.css"), "worker.js": _text("playground", "worker.js")}
    parts = {**packed, **{name: text.encode() for name, text in found.items()}}
    if pyodide.folder is not None:
        parts |= {f"{pyodide.address}{name}": _read(pyodide.folder / name) for name in FILES}
    every = {"index.html": _page(pyodide, parts).encode(), **parts}
    told = {"version": VERSION, "pyodide": pyodide.address, "files": sorted([*every, MANIFEST])}
    return {**every, MANIFEST: (json.dumps(told, indent=2) + "\n").encode()}


def examples() -> tuple[list[Example], list[Example]]:
    """Return the kernels of examples/ and of its gallery."""
    return _examples(folder("examples")), _examples(folder("examples") / "gallery")


def build(pyodide: Pyodide, target: Path) -> tuple[str, ...]:
    """Write the page to a folder that is new, empty or an older page; return the names of its files.

    Raises Rejected; then nothing was written.
    """
    files = site(pyodide)
    _refuse_others(target)
    made = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=".s2sad-", dir=target.parent))
        for name, data in files.items():
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            (made / name).write_bytes(data)
        made.chmod(0o755)
        if target.is_dir():
            shutil.rmtree(target)
        made.rename(target)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Rejected(diagnose(Code.UNWRITABLE, None, file=str(target), reason=reason)) from None
    finally:
        if made is not None and made.exists():
            shutil.rmtree(made)
    return tuple(files)


def _refuse_others(target: Path) -> None:
    """Refuse a folder that has anything that we didn't write."""
    if not os.path.lexists(target):
        return
    if target.is_symlink() or not target.is_dir():
        raise Rejected(diagnose(Code.WOULD_OVERWRITE, None, file=str(target)))
    there = {path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir()}
    foreign = sorted(there - _listed(target))
    if foreign:
        raise Rejected(diagnose(Code.WOULD_OVERWRITE, None, file=str(target / foreign[0])))


def _listed(target: Path) -> set[str]:
    """Return the files that an older page in the folder has by its own list."""
    try:
        told = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        return {str(name) for name in told["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _page(pyodide: Pyodide, parts: Mapping[str, bytes]) -> str:
    """Return the page itself; its links to the other parts have hashes, so that browsers may keep those."""
    env = templates("playground")
    own, gallery = examples()
    packed = {name: data for name, data in parts.items() if name.startswith("wheels/")}
    named = {name: f"{name}?{_short(data)}" for name, data in parts.items()}
    config = {
        "version": VERSION,
        "pyodide": pyodide.address,
        "wheels": [named[name] for name in packed],
        "worker": named["worker.js"],
        "sources": _short(b"".join([pyodide.version.encode(), *packed.values()])),
        "examples": {one["name"]: one for one in (*own, *gallery)},
        "first": FIRST,
    }
    return env.get_template("page.html.j2").render(
        version=VERSION,
        address=pyodide.address,
        is_local=pyodide.folder is not None,
        origin="" if pyodide.folder is not None else _origin(pyodide.address),
        config=json.dumps(config).replace("<", "\\u003c"),
        # what the page for reviewers has inside itself, as a policy for its frame has to name it
        review_script=_hash(_text("review", "script.js")),
        named=named,
        menu=[("Examples", own), ("Gallery", gallery)],
        first=FIRST,
        choices={"mode": MODES, "accumulate": SUMS, "skin": SKINS, "names": NAMES},
    )


def _origin(address: str) -> str:
    return "/".join(address.split("/")[:3])


def _hash(script: str) -> str:
    """Return the hash of a script between its tags, which have a line end each inside."""
    return base64.b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode()


def _short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def _text(*parts: str) -> str:
    return folder("templates").joinpath(*parts).read_text(encoding="utf-8")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Rejected(diagnose(Code.UNREADABLE, None, file=str(path), reason=reason)) from None


_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n/]+)"', re.MULTILINE)


def _examples(place: Path) -> list[Example]:
    found: list[Example] = []
    for path in sorted(place.glob("*.cu")):
        if path.stem.endswith("_adj"):
            continue
        text = path.read_text(encoding="utf-8")
        about = text.split("\n", 1)[0].removeprefix("//").strip() if text.startswith("//") else ""
        beside = _included(path, text)
        found.append({"name": path.stem, "file": path.name, "about": about, "text": text, "beside": beside})
    return found


def _included(path: Path, text: str) -> dict[str, str]:
    """Return the headers beside a file that it includes, also those that they include."""
    found: dict[str, str] = {}
    for name in _INCLUDED.findall(text):
        header = path.parent / name
        if header.is_file():
            inner = header.read_text(encoding="utf-8")
            found |= {name: inner, **_included(path, inner)}
    return found
