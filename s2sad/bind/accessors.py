"""Accessors as parameters: the caller passes a tensor, of which the kernel takes a view.

For a binding, such a parameter is an array, and its argument's `view` is what the kernel's text has instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..run.values import dtype
from ..signature import Argument, Layout, Signature

ELEMENTS = {
    "__half": "at::Half",
    "__nv_bfloat16": "at::BFloat16",
    "bool": "bool",
    "char": "int8_t",
    "signed char": "int8_t",
    "unsigned char": "uint8_t",
    "short": "int16_t",
    "int": "int",
    "long": "int64_t",
    "long long": "int64_t",
    "float": "float",
    "double": "double",
}
"""The types of tensors' elements, in PyTorch's C++ words."""


def as_arrays(signature: Signature) -> Signature:
    """Return a kernel with an array for each accessor."""
    return replace(signature, arguments=tuple(map(_as_array, signature.arguments)))


def _as_array(argument: Argument) -> Argument:
    layout = argument.layout
    if layout is None or not layout.rank:
        return argument
    data = next((part for part in argument.parts if part.path == ("data_",)), None)
    written = data is not None and data.written
    seed = data is not None and data.use == "seed"
    return replace(
        argument,
        type=element(layout),
        pointer=True,
        const=seed or (argument.role == "value" and not written),
        use=argument.use if data is None else data.use,
        written=written,
        layout=None,
        parts=(),
        view=layout,
    )


def element(view: Layout) -> str:
    """Return the C type of a view's elements."""
    (_, data, _), *_ = view.fields
    assert isinstance(data, str)
    return data.removeprefix("const ").removesuffix(" *")


def wide(view: Layout) -> bool:
    """Whether its sizes and strides have 64 bits."""
    _, (_, index, _), *_ = view.fields
    assert isinstance(index, str)
    return dtype(index).itemsize == 8


def views(kernels: Iterable[Signature]) -> list[Layout]:
    """Return the kinds of views that kernels take, each once."""
    return list(dict.fromkeys(a.view for kernel in kernels for a in kernel.arguments if a.view is not None))


def definition(view: Layout) -> Iterator[str]:
    """Yield the lines of a view's definition."""
    yield f"struct {view.name} {{"
    for name, type, extents in view.fields:
        assert isinstance(type, str)
        brackets = "".join(f"[{n}]" for n in extents)
        yield f"    {type}{'' if type.endswith('*') else ' '}{name}{brackets};"
    yield "};"


def made(argument: Argument) -> str:
    """Spell the view of a tensor in C++."""
    view = argument.view
    assert view is not None
    return f"view<{view.name}, {ELEMENTS[element(view)]}, {view.rank}>({argument.name})"
