"""Prints the table: each row, the kernel, and what becomes of it in both shapes."""

from __future__ import annotations

from ..fuzz.batch import judge_texts
from .table import entries, said


def main() -> None:
    """The table on standard output; exits with 1 if a row isn't as it has to be."""
    shapes = {mode: said(mode, lambda t: [v.kind for v in judge_texts(t)]) for mode in ("joint", "split")}
    rows = [("row", "kernel", "joint", "split")]
    wrong = 0
    for entry in entries():
        found = [shapes[mode][entry.name] for mode in ("joint", "split")]
        wrong += any(not text.startswith(entry.expected) for text in found)
        row = entry.row if len(entry.row) <= 48 else entry.row[:47] + "…"
        rows.append((row, entry.name, *found))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
