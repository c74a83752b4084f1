"""Signatures for the tests' kernels, written as CUDA writes parameters."""

from __future__ import annotations

from s2sad.signature import Argument, Signature


def signature(text: str) -> Signature:
    """`name(const float *x, float *y, int n)` as a Signature."""
    name, _, rest = text.partition("(")
    return Signature(
        name.strip(), tuple(_argument(p) for p in rest.removesuffix(")").split(",") if p.strip())
    )


def _argument(text: str) -> Argument:
    head, _, name = text.replace("*", " * ").rpartition(" ")
    words = head.split()
    pointer, const = "*" in words, "const" in words
    kind = " ".join(w for w in words if w not in ("*", "const"))
    return Argument(name.strip(), kind, pointer, const, written=pointer and not const)
