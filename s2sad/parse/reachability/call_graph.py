"""Order the functions in the call graph of a kernel, and find recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..source.toplevel import Item


def callees_first(
    kernel: Item, used: Callable[[Item], Iterable[Item]]
) -> tuple[tuple[Item, ...], tuple[tuple[Item, ...], ...]]:
    """Return the kernel and the functions that it reaches, callees first; and the cycles among them.

    `used` returns the items that an item uses, in order.
    """
    order: list[Item] = []
    cycles: list[tuple[Item, ...]] = []
    done: set[Item] = set()
    path: list[Item] = []

    def called(item: Item) -> Iterator[Item]:
        """Yield the functions that an item uses, also in the methods of its types and in its constants."""
        for other in used(item):
            if other.kind == "device" or other.is_function_template:
                yield other
            elif (other.kind in ("struct", "variable") or other.is_generic) and other not in done:
                done.add(other)  # a function of this type that its methods call is no recursion yet
                yield from (callee for callee in called(other) if callee not in path)

    def visit(item: Item) -> None:
        if item in done:
            return
        if item in path:
            if item.kind != "template":  # of a template it may be another instance
                cycles.append(tuple(path[path.index(item) :]))
            return
        path.append(item)
        for callee in called(item):
            visit(callee)
        path.pop()
        done.add(item)
        order.append(item)

    visit(kernel)
    return tuple(order), tuple(cycles)
