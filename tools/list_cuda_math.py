"""List the functions that device code can call, from CUDA's own headers.

    python tools/list_cuda_math.py [--include DIR] [--check]

This writes `s2sad/parse/types/builtins.toml`: name, parameter types and result of every built-in
device function whose types the language supports, under the rule that differentiates it.
Only these facts are taken from the headers. The meaning of a name is defined
here and in `s2sad/rules.toml`; a new function of a later CUDA gets its own name as
rule, and `tests/test_prelude.py` then requires an entry.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OUT = Path(__file__).parent.parent / "s2sad" / "parse" / "types" / "builtins.toml"

HEADERS = (
    "crt/math_functions.h",
    "crt/device_functions.h",
    "crt/device_double_functions.h",
    "device_atomic_functions.h",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_32_atomic_functions.h",
    "sm_32_intrinsics.h",
    "sm_35_atomic_functions.h",
    "sm_60_atomic_functions.h",
    "sm_61_intrinsics.h",
    "crt/sm_70_rt.h",
    "crt/sm_80_rt.h",
    "crt/sm_90_rt.h",
)

# A declaration of a function: the text before the name, the name, the parameters.
DECLARATION = re.compile(
    r"([\w\s*]+?)\b(\w+)\s*\(([^()]*)\)\s*(?:__\w+|_NOEXCEPT|throw\s*\(\)|noexcept)?\s*[;{)]"
)
MARK = re.compile(r"__device__|__device_builtin__|\w+_DECL__|__func__")

# Words of a type, in any order, to its C name; a pointer adds " *".
TYPES = {
    "void": "void",
    "bool": "bool",
    "float": "float",
    "double": "double",
    "char": "char",
    "char signed": "signed char",
    "char unsigned": "unsigned char",
    "short": "short",
    "int short": "short",
    "short unsigned": "unsigned short",
    "int short unsigned": "unsigned short",
    "int": "int",
    "signed": "int",
    "int signed": "int",
    "unsigned": "unsigned int",
    "int unsigned": "unsigned int",
    "long": "long",
    "int long": "long",
    "long unsigned": "unsigned long",
    "int long unsigned": "unsigned long",
    "long long": "long long",
    "int long long": "long long",
    "long long unsigned": "unsigned long long",
    "int long long unsigned": "unsigned long long",
    "clock_t": "long",
    "size_t": "size_t",
}
TYPE_WORDS = {word for key in TYPES for word in key.split()}
FLOATING = ("float", "double")
FOREIGN = re.compile(r"\b(u?[a-z]+[1234](_\w+)?|__half\w*|__nv_\w+|\w*__int128\w*|cudaRoundMode)\b")

# Helpers of the headers themselves, and functions that only a host compiler sees.
INTERNAL = re.compile(
    r"_[A-Z]|__nv_|__u128|__internal_|__cvta|__is[A-Z]|(all|any|ballot|syncthreads_\w+)$|__cuda|__pm\d|__host_|__libcpp|__(FLOAT|DOUBLE)_BITS|__pow_helper|__cmath_power"
    r"|_hypotf?$|__builtin|__signbit|__is(nan|inf|finite)|__finite|_(ld|d|fd)sign$|fdivide$|powi?f?i$"
)

# `float pow(float, int)` is declared for old host compilers only, while C++17 computes in double;
# the last is a mistake in one header.
OLD = {"pow(float, int)", "pow(double, int)", "pow(int, int)", "scalbn(float, float)"}

OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
# The rules of intrinsics whose names aren't their rule's name with `f` or `__` added.
RULES = (
    (r"__[fd](add|sub|mul|div)_r[nzud]", lambda m: "operator" + OPERATORS[m[1]]),
    (r"(__)?fdividef", lambda m: "operator/"),
    (r"__fmaf?(_ieee)?_r[nzud]", lambda m: "fma"),
    (r"__[fd]rcp_r[nzud]", lambda m: "rcp"),
    (r"__[fd](r?sqrt)_r[nzud]", lambda m: m[1]),
    (r"__saturatef", lambda m: "saturate"),
    (r"fmaxf?|max", lambda m: "fmax"),
    (r"fminf?|min", lambda m: "fmin"),
    (r"abs|fabsf?", lambda m: "fabs"),
    (r"(norm[34]d|rnorm[34]d|r?norm)f", lambda m: m[1]),
    (r".*_as_.*|__double2(hi|lo)int|__hiloint2double", lambda m: "bits"),
    (r"(__)?(int|uint|ll|ull)2(float|double)(_r[nzud])?", lambda m: "from_integer"),
    (r"(__)?(float|double)2(int|uint|ll|ull)(_r[nzud])?", lambda m: "to_integer"),
    (r"(__)?(float2double|double2float)(_r[nzud])?", lambda m: "convert"),
    (r"(atomicAdd)\w*", lambda m: m[1]),
    (r"atomic\w+", lambda m: "atomic"),
    (r"__shfl\w*", lambda m: "shuffle"),
    (r"__syncthreads|__syncwarp|__barrier_sync\w*", lambda m: "barrier"),
    (r"__syncthreads_\w+|__(any|all|ballot|match|reduce)\w*|__uni_sync|__activemask|__fns", lambda m: "vote"),
    (r"__ld\w+|__st\w+", lambda m: "cache"),
    (r"__threadfence\w*", lambda m: "fence"),
    (r"__cluster\w*", lambda m: "cluster"),
    (r"__nanosleep|__trap|__brkpt|__prof_trigger|__globaltimer\w*", lambda m: "machine"),
    (r"clock(64)?", lambda m: "clock"),
)
# Rules of all-integer functions other than `integer`, for those with side effects.
EFFECTS = re.compile(r"atomic|barrier|vote|shuffle|cache|cluster|clock|machine|fence")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--include", type=Path, help="CUDA's include directory")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the list differs")
    options = parser.parse_args()
    include = options.include or found()
    if include is None:
        print("CUDA's headers weren't found: set CUDA_HOME or give --include DIR", file=sys.stderr)
        return 4
    text = render(signatures(include), version(include))
    if options.check:
        return int(OUT.read_text() != text)
    OUT.write_text(text)
    return 0


def found() -> Path | None:
    """Find the include directory of CUDA_HOME, or of the nvcc in PATH."""
    homes = [Path(os.environ[v]) for v in ("CUDA_HOME", "CUDA_PATH") if v in os.environ]
    if nvcc := shutil.which("nvcc"):
        # nvcc may be a wrapper; the commands that it would run show its real location.
        command = [nvcc, "--dryrun", "-x", "cu", os.devnull]
        dry = subprocess.run(command, capture_output=True, text=True, check=False)
        homes += [Path(top) for top in re.findall(r"TOP=(.+)", dry.stderr)]
    return next((h / "include" for h in homes if (h / "include" / HEADERS[0]).is_file()), None)


def version(include: Path) -> str:
    """Read the version from the runtime's header, as `13.0`."""
    header = include / "cuda_runtime_api.h"
    text = header.read_text(errors="replace") if header.is_file() else ""
    match = re.search(r"#define\s+CUDART_VERSION\s+(\d+)", text)
    return f"{int(match[1]) // 1000}.{int(match[1]) % 1000 // 10}" if match else "an unknown version"


def signatures(include: Path) -> dict[tuple[str, tuple[str, ...]], str]:
    """Return (name, parameter types) -> result, for every declaration that the language can express."""
    table: dict[tuple[str, tuple[str, ...]], str] = {}
    for header in HEADERS:
        path = include / header
        if not path.is_file():  # older and newer CUDA lack some
            continue
        for name, params, result in declarations(path.read_text(errors="replace")):
            key = (name, params)
            # Classification returns int for one host compiler and bool for another; in C++ it is bool.
            table[key] = "bool" if "bool" in (result, table.get(key)) else table.get(key, result)
    return table


def declarations(text: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M)
    text = re.sub(r"__func__\s*\(", "__func__ ", text)
    text = re.sub(r"__DEPRECATED__\s*\([^;]*?\)\)?\s+(?=\w)", " ", text)
    text = text.replace("__DEF_IF_HOST", ";")
    for before, name, inside in DECLARATION.findall(text):
        result = plain(before)
        written = inside.split(",") if inside.strip() not in ("", "void") else []
        params = tuple(plain(p) for p in written)
        if not MARK.search(before) or INTERNAL.match(name) or result is None or None in params:
            continue
        known = tuple(p for p in params if p is not None)
        if f"{name}({', '.join(known)})" in OLD:
            continue
        required = sum("=" not in p for p in written)
        for count in range(required, len(known) + 1):  # default arguments come last
            yield name, known[:count], result


def plain(text: str) -> str | None:
    """Return the C name of a parameter's or a result's type; None if the language lacks it."""
    words = re.sub(r"\bvolatile\b|=.*", "", text.replace("*", " * ")).split()
    if "long" in words and "double" in words:
        return None
    named = [w for w in words if w in TYPE_WORDS]
    type_ = TYPES.get(" ".join(sorted(named)))
    if type_ is None or FOREIGN.search(text) or (type_ == "void" and "*" in words):
        return None
    if "*" not in words:
        return type_
    return ("const " if "const" in words[: words.index("*")] else "") + type_ + " *"


def rule(name: str, params: tuple[str, ...], result: str, names: set[str]) -> str:
    """Return the entry of rules.toml for a function."""
    key = next((make(m) for pattern, make in RULES if (m := re.fullmatch(pattern, name))), "")
    integer = not any(f in t for t in (*params, result) for f in FLOATING)
    if integer and not EFFECTS.match(key):
        return "integer"
    if key:
        return key
    bare = name.removeprefix("__")
    if name != bare and bare.endswith("f") and bare[:-1] in names:
        return bare[:-1]
    return name[:-1] if name.endswith("f") and name[:-1] in names else name


def render(table: dict[tuple[str, tuple[str, ...]], str], version: str) -> str:
    names = {name for name, _ in table}
    lines: dict[str, list[str]] = {}
    for (name, params), result in sorted(table.items()):
        text = f"{result} {name}({', '.join(params)})".replace("* ", "*")
        lines.setdefault(rule(name, params, result, names), []).append(text)
    parts = [
        "# The functions that device code can call, by the rule that differentiates them.",
        f"# Written by tools/list_cuda_math.py from the headers of CUDA {version}; not edited by hand.",
        "",
    ]
    for key in sorted(lines):
        parts.append(f"{key} = [" if re.fullmatch(r"\w+", key) else f'"{key}" = [')
        parts += [f'    "{text}",' for text in lines[key]]
        parts.append("]")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
