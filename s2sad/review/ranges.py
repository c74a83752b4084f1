"""Lines of the page by their ids, joined to ranges: 9–12."""

from __future__ import annotations

from collections.abc import Iterable


def ranges(ids: Iterable[str]) -> list[tuple[str, str]]:
    """Join ids of neighbouring lines: the first one's id, and the range as text."""
    found: list[tuple[str, str]] = []
    for id in sorted(ids, key=_order):
        first, last = found[-1] if found else ("", "")
        if found and _order(id) == (_order(last)[0], _order(last)[1] + 1):
            found[-1] = first, id
        else:
            found.append((id, id))
    numbers = ((first, _order(first)[1], _order(last)[1]) for first, last in found)
    return [(first, str(low) if low == high else f"{low}–{high}") for first, low, high in numbers]


def _order(id: str) -> tuple[str, int]:
    head = id.rstrip("0123456789")
    return head, int(id[len(head) :])


def fitting(found: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """Return as many ranges as fit in a number of characters, with ` …` if there are more; one at least."""
    for many in range(len(found), 1, -1):
        shown = " ".join(text for _, text in found[:many])
        if len(shown) + 2 * (many < len(found)) <= width:
            return found[:many]
    return found[:1]
