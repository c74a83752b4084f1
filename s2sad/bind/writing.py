"""Write a binding's files to a folder: all or none, and never over what somebody else wrote or edited.

The folder's `.s2sad.json` has a hash of each file as it was written. A file that has none, or
another, isn't replaced.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from .. import files
from ..diagnostics import Code, Rejected, diagnose

MANIFEST = ".s2sad.json"


def stale(folder: str, texts: Mapping[str, str]) -> list[str]:
    """Return the files that are missing, or differ from these texts."""
    return [name for name, text in texts.items() if files.content(os.path.join(folder, name)) != text]


def write(folder: str, texts: Mapping[str, str]) -> None:
    """Write the files. Raises Rejected, and then has written nothing."""
    target = Path(folder)
    known = _known(target)
    foreign = [
        diagnose(Code.NOT_WRITTEN_BY_US, None, file=str(target / name))
        for name, text in texts.items()
        if (target / name).is_symlink() or (target / name).exists()
        if files.content(str(target / name)) != text
        if known.get(name) != _hash(files.content(str(target / name)) or "")
    ]
    if foreign:
        raise Rejected(*foreign)
    every = {**texts, MANIFEST: _manifest({**known, **{name: _hash(text) for name, text in texts.items()}})}
    if target.is_dir():
        for name, text in every.items():
            files.replace(str(target / name), text)
    else:
        _as_one(target, every)


def _as_one(target: Path, texts: Mapping[str, str]) -> None:
    """Make a folder that appears with all its files, or not at all."""
    made = ""
    try:
        if target.exists() or target.is_symlink():
            raise NotADirectoryError(20, "it is a file")
        target.parent.mkdir(parents=True, exist_ok=True)
        made = tempfile.mkdtemp(prefix=".s2sad-", dir=target.parent)
        for name, text in texts.items():
            Path(made, name).write_text(text, encoding="utf-8", newline="\n")
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(made, 0o777 & ~mask)
        os.rename(made, target)
    except (OSError, ValueError) as error:
        if made:
            shutil.rmtree(made, ignore_errors=True)
        reason = getattr(error, "strerror", None) or str(error)
        raise Rejected(
            diagnose(Code.UNWRITABLE, None, file=str(target), reason=reason[:1].lower() + reason[1:])
        ) from None


def _known(folder: Path) -> dict[str, str]:
    """Return the hashes of the files that were written there before."""
    try:
        found = json.loads(files.content(str(folder / MANIFEST)) or "{}")["files"]
    except (ValueError, KeyError, TypeError):
        return {}
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def _manifest(hashes: Mapping[str, str]) -> str:
    said = "written by `s2sad bind`: it replaces these files as long as they are unchanged"
    return json.dumps({"": said, "files": dict(sorted(hashes.items()))}, indent=2) + "\n"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
