"""Find a C++ compiler and run it, once for each new text.

Compiled modules are files named by a hash of their inputs: the text,
our header, the flags, the compiler's version. They are written to a temporary file and
moved into place, so that processes can share the cache. If the cache isn't writable,
a temporary folder is used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ..backend import BackendUnavailable, CompileFailed, WatchUnavailable
from . import precompiled

INCLUDE = Path(__file__).with_name("include")
WATCHER = Path(__file__).with_name("watch") / "watcher.cpp"

FLAGS = (
    "-std=gnu++17",
    "-O2",
    "-shared",
    "-fPIC",
    "-fvisibility=hidden",  # exported kernels aren't inlined: 17 times slower
    "-ffp-contract=off",  # the same text gives the same value wherever it appears
    "-fno-math-errno",
    "-fno-finite-loops",  # an endless loop must hang, not be removed
    "-fno-strict-aliasing",  # kernels reinterpret memory; nvcc allows it
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",  # launches are serial: no guard calls for shared arrays' constructors
    "-w",
)

# A watched build: the compiler calls the watcher at each access. Optimisations that move, merge or
# introduce accesses are off, so that lines and conditions are the text's.
WATCHED = (
    "-O1",
    "-g1",
    "-fsanitize=thread",
    "-fno-optimize-sibling-calls",
)
_WATCHED_BY = {
    "gcc": (
        "-fsanitize=bounds,alignment,integer-divide-by-zero,return",
        "--param=tsan-instrument-func-entry-exit=0",
        "-fno-tree-loop-im",
        "-fno-tree-loop-ivcanon",
        "-fno-tree-sink",
        "-fno-tree-dse",
        "-fno-tree-phiprop",
        "-fno-if-conversion",
        "-fno-if-conversion2",
        "-fno-split-loops",
    ),
    "clang": ("-fsanitize=array-bounds,alignment,integer-divide-by-zero,return",),
}

# Inserted before a text with a function that can't be inlined because it is recursive.
_OPENS = "namespace cuda_on_cpu {\n"
_CALLED = "#undef __device__\n#define __device__\n"

MISSING = (
    "no C++ compiler found: install g++ or clang++ (Debian: apt install g++; macOS: xcode-select --install), "
    "or pip install s2sad[compiler], or set CXX"
)

_LINES_OF_A_MESSAGE = 12
_SECONDS = 300
_MANY = 2000
_MONTH = 30 * 24 * 3600.0


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler: its command and its version line."""

    command: tuple[str, ...]
    version: str


@cache
def _version(command: tuple[str, ...], stamp: int) -> str | None:
    """Return the compiler's version line; None if it doesn't run."""
    try:
        done = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else None


def candidates() -> Iterator[tuple[str, ...]]:
    """Yield commands that may be C++ compilers, best first.

    clang++ precedes g++, which vectorises unsigned index arithmetic badly.
    """
    if chosen := shlex.split(os.environ.get("CXX", "")):
        yield tuple(chosen)
    for name in ("clang++", "g++", "c++"):
        yield (name,)
    if find_spec("ziglang") is not None:
        # without the C++ library, which zig would have to build first
        yield (sys.executable, "-m", "ziglang", "c++", "-nostdlib++")


def compilers() -> list[Compiler]:
    """Return every compiler that runs, best first."""
    found: list[Compiler] = []
    seen: set[str] = set()
    for command in candidates():
        path = shutil.which(command[0])
        if path is None:
            continue
        version = _version((path, *command[1:]), os.stat(path).st_mtime_ns)
        identity = " ".join((os.path.realpath(path), *command[1:]))
        if version is not None and identity not in seen:
            seen.add(identity)
            found.append(Compiler((path, *command[1:]), version))
    return found


def compiler() -> Compiler:
    """Return the compiler to use. Raises BackendUnavailable."""
    for command in candidates():
        path = shutil.which(command[0])
        if path is not None:
            version = _version((path, *command[1:]), os.stat(path).st_mtime_ns)
            if version is not None:
                return Compiler((path, *command[1:]), version)
    raise BackendUnavailable(MISSING)


@cache
def _header_hash() -> str:
    digest = hashlib.sha256()
    for path in sorted(INCLUDE.glob("*.h")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _temporary() -> Path:
    """Return a folder for this process only, removed at exit."""
    folder = tempfile.TemporaryDirectory(prefix="s2sad-")
    _temporaries.append(folder)
    return Path(folder.name)


_temporaries: list[tempfile.TemporaryDirectory[str]] = []


def cache_folder() -> Path:
    """Return the folder of compiled modules."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("s2sad")) / "cpu"


def writable(folder: Path) -> bool:
    """Whether compiled modules can be written there; creates the folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def build(unit: str, name: str, flags: tuple[str, ...] = ()) -> Path:
    """Return the shared library of a translation unit, cached or newly compiled. Raises CompileFailed."""
    library = kept(unit, flags)
    if not library.exists():
        _compile(compiler(), unit, name, flags, library)
    return library


def kept(unit: str, flags: tuple[str, ...] = ()) -> Path:
    """Return the path of a translation unit's shared library, whether or not it exists."""
    return _place(f"{_key(compiler(), unit, *flags)}.so")


def _key(used: Compiler, *parts: str) -> str:
    """Return the cache key for these inputs compiled with our header."""
    digest = hashlib.sha256()
    for part in (*parts, _header_hash(), *FLAGS, *used.command, used.version, platform.machine()):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:32]


def _place(file: str) -> Path:
    """Return the path of a compiled file in the cache, or in a temporary folder if it isn't writable."""
    shared = cache_folder() / file
    if shared.exists():
        return shared
    if not writable(shared.parent):
        return _temporary() / file
    _prune(shared.parent)
    return shared


@cache
def _prune(folder: Path) -> None:
    """Remove files older than a month, if the cache has many; once in a process, as it lists all files."""
    files = list(folder.glob("*.so"))
    if len(files) < _MANY:
        return
    for path in (*files, *folder.glob("*.h.gch")):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _MONTH:
                path.unlink()


def build_watched(unit: str, name: str) -> Path:
    """Like `build`, with a call of the watcher at each access. Raises CompileFailed, WatchUnavailable."""
    used = compiler()
    library = kept_watched(unit)
    if not library.exists():
        if not _can_watch(used):
            raise WatchUnavailable(f"{used.version} has no -fsanitize=thread: accesses can't be watched")
        flags, watcher = watched_flags(used), watcher_object(used)
        with _scratch(library) as half, _scratch(library) as whole:
            begun, text = _begun(used, unit, name, flags)
            compiling = [*begun, "-c", "-x", "c++", "-", "-o", half]
            try:
                _run(used, compiling, text, name)
            except CompileFailed as error:
                if "inlining failed" not in str(error):
                    raise
                _run(used, compiling, text.replace(_OPENS, _CALLED + _OPENS, 1), name)
            # without -fsanitize: the watcher defines the runtime functions
            _run(used, ["-shared", "-fPIC", half, str(watcher), "-o", whole, "-lm"], "", name)
            os.replace(whole, library)
    return library


def kept_watched(unit: str) -> Path:
    """Like `kept`, for `build_watched`."""
    used = compiler()
    return _place(f"{_key(used, unit, *watched_flags(used), watcher_object(used).name)}.so")


def watched_flags(used: Compiler) -> tuple[str, ...]:
    """Return the flags of a watched build besides FLAGS."""
    return (*WATCHED, *_WATCHED_BY[family(used)])


def watcher_object(used: Compiler) -> Path:
    """Compile the watcher, to link with watched texts. Raises CompileFailed."""
    return _object(used, WATCHER.read_text(encoding="utf-8"), WATCHER.name, ("-O2",))


def family(used: Compiler) -> str:
    """Return the compiler whose flags this one accepts: "gcc" or "clang"."""
    return "clang" if "clang" in used.version or "ziglang" in used.command else "gcc"


@cache
def _can_watch(used: Compiler) -> bool:
    try:
        _object(used, "int s2sad_trial(int *p) { return *p; }", "trial", watched_flags(used))
    except CompileFailed:
        return False
    return True


@cache
def _object(used: Compiler, text: str, name: str, flags: tuple[str, ...]) -> Path:
    """Return the object file of a text, cached or newly compiled."""
    place = _place(f"{_key(used, text, *flags)}.o")
    if not place.exists():
        plain = [flag for flag in FLAGS if flag != "-shared"]
        with _scratch(place) as scratch:
            _run(used, [*plain, *flags, "-c", "-x", "c++", "-", "-o", scratch], text, name)
            os.replace(scratch, place)
    return place


def _compile(used: Compiler, unit: str, name: str, flags: tuple[str, ...], library: Path) -> None:
    with _scratch(library) as scratch:
        begun, text = _begun(used, unit, name, flags)
        _run(used, [*begun, "-x", "c++", "-", "-o", scratch, "-lm"], text, name)
        os.replace(scratch, library)


def _begun(used: Compiler, unit: str, name: str, flags: tuple[str, ...]) -> tuple[list[str], str]:
    """Return the flags for a unit, and its text without a precompiled beginning."""
    every = [*FLAGS, *flags, f"-I{INCLUDE}"]
    if family(used) != "gcc":
        return every, unit

    def header(text: str) -> Path:
        return _place(f"{_key(used, text, *flags)}.h")

    def write(file: Path) -> None:
        with _scratch(file) as scratch:
            _run(used, [*every, "-x", "c++-header", str(file), "-o", scratch], "", name)
            os.replace(scratch, precompiled.form(file))

    own, text = precompiled.parted(unit, header, write)
    return [*every, *own], text


@contextlib.contextmanager
def _scratch(beside: Path) -> Iterator[str]:
    """Create a temporary file in the same folder; remove it at the end if it is still there."""
    handle, path = tempfile.mkstemp(prefix="building-", suffix=".tmp", dir=beside.parent)
    os.close(handle)
    try:
        yield path
    finally:
        Path(path).unlink(missing_ok=True)


def preprocessed(text: str, name: str) -> str:
    """Preprocess a text; don't expand our header's macros, which it doesn't include yet.

    Raises CompileFailed.
    """
    device = ["-D__CUDACC__=1", "-D__CUDA_ARCH__=800"]
    device.append("-DS2SAD_UNSEEN=S2SAD_UNSEEN")  # a macro of the header, which is included later
    return _run(compiler(), ["-E", "-w", *device, "-x", "c++", "-"], text, name)


def deprecated(text: str, name: str) -> str:
    """Return the warnings about uses of what is deprecated in a unit. Raises CompileFailed."""
    used = compiler()
    flags = [flag for flag in FLAGS if flag not in ("-w", "-shared", "-fPIC")]
    flags += ["-fsyntax-only", "-Wno-all", "-Wdeprecated-declarations", f"-I{INCLUDE}"]
    return _done(used, [*flags, "-x", "c++", "-"], text, name).stderr


def _run(used: Compiler, arguments: list[str], text: str, name: str) -> str:
    """Run the compiler and return its standard output. Raises CompileFailed."""
    return _done(used, arguments, text, name).stdout


def _done(used: Compiler, arguments: list[str], text: str, name: str) -> subprocess.CompletedProcess[str]:
    try:
        done = subprocess.run(
            [*used.command, *arguments],
            input=text,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
            env=_environment(used),
        )
    except subprocess.TimeoutExpired as late:
        raise CompileFailed(f"{name}: the C++ compiler didn't finish within {_SECONDS} s") from late
    if done.returncode != 0:
        raise CompileFailed(f"{name} doesn't compile for the CPU:\n{first_errors(done.stderr)}")
    return done


def _environment(used: Compiler) -> dict[str, str]:
    """Return an environment for messages in English and, for zig, a writable cache."""
    environment = dict(os.environ, LC_ALL="C")
    if "ziglang" in used.command and not writable(cache_folder()):
        environment.setdefault("ZIG_GLOBAL_CACHE_DIR", str(_temporary() / "zig"))
    return environment


def first_errors(stderr: str) -> str:
    """Return the first lines of the compiler's output from its first error, without our namespace."""
    lines = stderr.replace("cuda_on_cpu::", "").splitlines()
    start = next((i for i, line in enumerate(lines) if re.search(r": (fatal )?error: |: undefined", line)), 0)
    kept = lines[start : start + _LINES_OF_A_MESSAGE]
    if len(lines) > start + _LINES_OF_A_MESSAGE:
        kept.append("…")
    return "\n".join(kept)
