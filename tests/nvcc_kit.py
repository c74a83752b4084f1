"""Run NVIDIA's two compilers, neither of which needs a GPU: nvcc, and NVRTC as a library."""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
import subprocess
from functools import cache
from pathlib import Path

from fuzz.nvidia import ARCHITECTURE, NVCC, QUICK, together

__all__ = ["NVCC", "has_nvrtc", "nvcc", "nvrtc", "together"]


def nvcc(*arguments: str) -> str:
    """Return nvcc's messages; "" if there are neither errors nor warnings."""
    assert NVCC
    command = [NVCC, f"-arch=sm_{ARCHITECTURE}", *QUICK, "-Werror=all-warnings", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}"


@cache
def _nvrtc() -> ctypes.CDLL | None:
    """Load the library of the pip package, or the system's."""
    found = []
    spec = importlib.util.find_spec("nvidia")
    for folder in spec.submodule_search_locations or () if spec else ():
        found += [str(path) for path in Path(folder).rglob("libnvrtc.so*")]
    for name in [*found, ctypes.util.find_library("nvrtc") or "", "libnvrtc.so"]:
        try:
            return ctypes.CDLL(name) if name else None
        except OSError:
            continue
    return None


@cache
def _headers() -> tuple[Path, ...]:
    """Return the folders of CUDA's own headers, which NVRTC needs to be told."""
    spec = importlib.util.find_spec("nvidia")
    places = [Path(p) for p in spec.submodule_search_locations or ()] if spec else []
    places += [Path(NVCC).resolve().parents[1]] if NVCC else []
    return tuple(dict.fromkeys(h.parent for place in places for h in place.rglob("include/cuda_fp16.h")))[:1]


def has_nvrtc() -> bool:
    return _nvrtc() is not None


def nvrtc(text: str, name: str) -> str:
    """Return NVRTC's messages for a file compiled alone; "" if there are none."""
    library = _nvrtc()
    assert library is not None
    program = ctypes.c_void_p()
    made = library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), name.encode(), 0, None, None)
    assert made == 0
    try:
        options = [f"--gpu-architecture=compute_{ARCHITECTURE}".encode()]
        options += [f"--include-path={folder}".encode() for folder in _headers() if "#include" in text]
        array = (ctypes.c_char_p * len(options))(*options)
        status = library.nvrtcCompileProgram(program, len(options), array)
        size = ctypes.c_size_t()
        library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.nvrtcGetProgramLog(program, log)
        said = log.value.decode(errors="replace").strip()
        return said or ("" if status == 0 else f"nvrtc: error {status}")
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))
