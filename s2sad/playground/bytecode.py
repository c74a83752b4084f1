"""The compiled modules as an archive that a browser keeps: the next visit doesn't compile them again.

This runs in the browser. A module counts as compiled from the source beside it without a look at dates, which
differ with each unpacking; the name under which the browser keeps the archive has a hash of all sources.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

_MAGIC = 4  # bytes, before the flags
_HEADER = 16
_UNCHECKED = b"\x01\0\0\0" + bytes(8)
"""The rest of the header of a file that is valid whatever its source's date (PEP 552)."""


def packed(place: str) -> bytes:
    """Return all compiled modules in a folder, by their paths in it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(Path(place).rglob("*.pyc")):
            data = path.read_bytes()
            archive.writestr(str(path.relative_to(place)), data[:_MAGIC] + _UNCHECKED + data[_HEADER:])
    return made.getvalue()
