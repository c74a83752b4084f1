"""Resolve includes: the file that an `#include` names, or what is read in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ... import files
from ...diagnostics import Code, Rejected
from ...source import Source

# Headers of CUDA, C and C++, also spelled in quotes: never searched for.
_SYSTEM = re.compile(
    r"<|\"(?:cuda|device_|vector_(?:types|functions)|helper_|math_constants|math|std\w*|float|limits|assert"
    r"|string|time|ctype|cub/|thrust/|cooperative_groups|curand|cublas|cufft|cusparse|nv/|mma)[\w/]*(?:\.h(?:pp)?)?\""
)
_GLM = "glm/vectors.h", "glm/matrices.h", "glm/quaternions.h"
"""Read in place of GLM's headers, found or not: those use more of C++ than a kernel needs."""
_TORCH = "torch/accessors.h", "torch/tensors.h"
OWN = Path(__file__).parent


def is_system(spelled: str) -> bool:
    """Whether an include is in angles, or in quotes and names a header of CUDA, C or C++."""
    return _SYSTEM.match(spelled) is not None


def found(name: str, folders: Iterable[Path]) -> Path | None:
    """Return the file of that name in the first of the folders that has one."""
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def stand_ins(name: str) -> tuple[str, ...]:
    """Return the names of the files that are read in place of a library's header; none for others."""
    if name.startswith("glm/"):
        return _GLM if re.search("quat|gtc|gtx", name) else _GLM[:2]
    if name in ("thrust/complex.h", "thrust/functional.h"):
        return (name,)
    return _TORCH if name.startswith(("ATen/", "torch/", "c10/")) else ()


def stand_in(name: str) -> Source:
    """Return one of these files."""
    return Source(name, (OWN / name).read_text(encoding="utf-8"))


def read(path: Path) -> Source:
    """Read an included file. If it isn't UTF-8, its comments are Latin-1, which the author can't change."""
    try:
        return files.read(str(path))
    except Rejected as error:
        if error.diagnostics[0].code is not Code.NOT_UTF8:
            raise
        return Source(str(path), path.read_bytes().decode("latin-1"))
