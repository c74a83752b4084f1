"""Host programs on the CPU: C++ with launches, compiled like kernels against `include/host.h`.

Only what the programs of `s2sad chain` use is there: memory, copies, launches and errors.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence

from ..float_widening import Real, Token, tokens
from . import compiler, unit

_LAUNCH = re.compile(r"([A-Za-z_][\w:]*)\s*<<<(.*?)>>>\s*\(", re.DOTALL)


def load(
    text: str, functions: Sequence[str], name: str = "program.cu", real: Real = "float", quick: bool = False
) -> ctypes.CDLL:
    """Compile a program; `s2sad_host_F` returns the address of a function F of it. Raises CompileFailed."""
    plain = "".join(token.text for token in _without_comments(tokens(text)))
    whole = unit.write(_LAUNCH.sub(r"s2sad_on_host<&\1>(&\1, \2)(", plain), [], real, name)
    begun, found, rest = whole.partition(unit.HEADER)
    assert found
    exports = "".join(
        f'extern "C" __attribute__((visibility("default"))) void *s2sad_host_{function}()\n'
        f"{{ return (void *)&::cuda_on_cpu::{function}; }}\n"
        for function in functions
    )
    return ctypes.CDLL(
        str(
            compiler.build(
                f'{begun}{found}#include "host.h"\n{rest}{exports}', name, ("-O0",) if quick else ()
            )
        )
    )


def _without_comments(parts: Iterator[Token]) -> Iterator[Token]:
    """Replace comments by blank lines: they may show launches."""
    for token in parts:
        if token.kind == "comment":
            yield Token("space", " " + "\n" * token.text.count("\n"))
        else:
            yield token
