"""Output of all benchmarks: a table for people, a JSON file for machines.

The JSON has the measurements and versions, and no names or paths of the
machine, so that the files of two machines can be compared line by line.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RESULTS = HERE / "results"

sys.path.insert(0, str(ROOT))  # the checkout of the benchmark, installed or not


def table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> None:
    """Print a table, with the first column left-aligned and rows that contain `miss` in red."""
    drawn = Table(title=title, title_justify="left")
    for k, column in enumerate(columns):
        drawn.add_column(column, justify="right" if k else "left", no_wrap=True)
    for row in rows:
        drawn.add_row(*row, style="red" if any("miss" in cell for cell in row) else None)
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(drawn)
    for note in notes:
        console.print(note, highlight=False, markup=False)


def save(name: str, data: Mapping[str, object]) -> None:
    """Write benchmarks/results/NAME.json."""
    from s2sad.version import VERSION

    RESULTS.mkdir(exist_ok=True)
    about = {"s2sad": VERSION, "python": platform.python_version()}
    text = json.dumps({"benchmark": name, **about, **data}, indent=1, sort_keys=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(f"written: benchmarks/results/{name}.json")
