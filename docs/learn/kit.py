"""What the notebooks share: print a kernel, its adjoint, an exercise and its mark, and draw pictures."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.text import Text

import s2sad
from s2sad.learn import gaps, lessons, marking
from s2sad.source import Source

HERE = Path(__file__).resolve().parent
SCRATCH = Path(tempfile.mkdtemp(prefix="s2sad_lesson_"))
"""Where files of an exercise are written, so that this folder stays as it is."""
READ, ADD, NODE = "#4878a8", "#c05a3c", "#eef2f6"


# ---- texts --------------------------------------------------------------------------------


def show(name: str) -> None:
    """Print a kernel of this folder, with line numbers."""
    for number, line in enumerate((HERE / name).read_text().splitlines(), 1):
        print(f"{number:3}  {line}".rstrip())


def body(adjoint: s2sad.Adjoint) -> None:
    """Print an emitted adjoint without its header and its helpers."""
    lines = adjoint.source.splitlines()
    start = next(i for i, line in enumerate(lines) if "__global__" in line)
    print("\n".join(lines[start:]))


def header(adjoint: s2sad.Adjoint) -> None:
    """Print the header of an emitted adjoint: its arguments and its decisions."""
    for line in adjoint.source.splitlines():
        if not line.startswith("//"):
            break
        print(line)


def verdict(report: s2sad.Report) -> None:
    """Print the result of a check: the first line, and the gradients."""
    lines = report.text().splitlines()
    print("\n".join([lines[0], *(line for line in lines[1:] if line.startswith(("gradient", "wrong")))]))


def command(words: str, folder: Path = HERE) -> None:
    """Run a command of s2sad and print what it says; files of these lessons are found from any folder."""
    given = [str(HERE / word) if (HERE / word).is_file() else word for word in words.split()]
    run = [sys.executable, "-m", "s2sad", *given]
    wide = {**os.environ, "COLUMNS": "110"}
    ran = subprocess.run(run, cwd=folder, env=wide, capture_output=True, text=True, check=False)
    if ran.returncode > 1:
        raise RuntimeError(ran.stderr)
    print(f"$ s2sad {words}\n{ran.stdout}{ran.stderr}".replace(f"{HERE}{os.sep}", ""))


def kernel_of(name: str) -> None:
    """Print a file of the scratch folder without its header and its helpers."""
    lines = (SCRATCH / name).read_text().splitlines()
    print("\n".join(lines[next(i for i, line in enumerate(lines) if "__global__" in line) :]))


def exercise(name: str) -> None:
    """Print an exercise with its empty gaps."""
    print(lessons.exercises()[name].text)


def mark(name: str, answers: Mapping[int, str]) -> None:
    """Fill gaps of an exercise, the others by the reference answer, and print the mark."""
    one = lessons.exercises()[name]
    text = one.answer
    for gap in reversed(gaps.gaps(text)):
        if gap.number in answers:
            lines = text.splitlines()
            lines[gap.first : gap.last - 1] = answers[gap.number].strip("\n").splitlines()
            text = "\n".join(lines) + "\n"
    print(marking.page(marking.mark(one, Source(f"{name}.cu", text))))


# ---- pictures ----------------------------------------------------------------------------


def graph(edges: Sequence[tuple[str, str, str]], title: str = "") -> None:
    """Draw a computational graph: an edge from an operand to a result, with the partial on it.

    The values flow to the right along the edges. The adjoint flows to the left, multiplied on each edge by
    its partial, and is added up where edges meet.
    """
    place = _layout(edges)
    columns = 1 + max(x for x, _ in place.values())
    rows = 1 + max(abs(y) for _, y in place.values())
    far = any(place[target][0] - place[source][0] > 1 for source, target, _ in edges)
    _, axes = plt.subplots(figsize=(1.9 * columns, 1.2 * (rows + far) + 0.5))
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(-rows / 2 - 0.1, rows / 2 + 0.2 + 0.8 * far)
    boxes = {name: _box(axes, x, y, name) for name, (x, y) in place.items()}
    _settle(axes)
    for source, target, partial in edges:
        length = place[target][0] - place[source][0]
        bend = -0.35 if length > 1 else 0.0
        _arrow(axes, boxes[source], boxes[target], READ, bend)
        x, y = ((a + b) / 2 for a, b in zip(place[source], place[target], strict=True))
        lift = 0.36 * length if bend else 0.1
        axes.text(x, y + lift, partial, ha="center", va="bottom", fontsize=9, color=ADD)
    _finish(title)


def touches(
    reads: Callable[[int], Iterable[int]],
    threads: Sequence[int],
    elements: Sequence[int],
    title: str = "",
    names: tuple[str, str, str] = ("thread", "x", "adj_x"),
    label: Callable[[int], str] = str,
) -> None:
    """Draw which threads read which elements, and, below it, which add to the adjoint of which.

    The second picture is the first one upside down: it is drawn from the same function.
    """
    thread, array, adjoint = names
    left, right = min(*threads, *elements), max(*threads, *elements)
    _, both = plt.subplots(2, 1, figsize=(0.75 * (right - left + 1) + 2.2, 4.4))
    for axes, upwards in zip(both, (False, True), strict=True):
        axes.set_xlim(left - 2.2, right + 0.8)
        axes.set_ylim(-0.35, 1.35)
        of_thread, of_element = (1.0, 0.0) if upwards else (0.0, 1.0)
        here = {t: _box(axes, t, of_thread, str(t)) for t in threads}
        there = {k: _box(axes, k, of_element, label(k)) for k in elements}
        for name, y in ((thread, of_thread), (adjoint if upwards else array, of_element)):
            axes.text(left - 0.8, y, name, ha="right", va="center", family="monospace")
        _settle(axes)
        for t in threads:
            for k in reads(t):
                if k in there:
                    ends = (here[t], there[k]) if upwards else (there[k], here[t])
                    _arrow(axes, *ends, ADD if upwards else READ)
    both[0].set_title(f"{title}\nthe kernel reads", fontsize=10)
    both[1].set_title("the adjoint adds", fontsize=10)
    _finish()


def tape(steps: Sequence[str], kept: str, title: str = "") -> None:
    """Draw a loop: its steps to the right, its reverse to the left, what is kept between the two."""
    _, axes = plt.subplots(figsize=(1.7 * len(steps) + 0.8, 2.8))
    axes.set_xlim(-0.6, len(steps) - 0.4)
    axes.set_ylim(-0.4, 2.4)
    rows = [
        [_box(axes, k, 2, step) for k, step in enumerate(steps)],
        [_box(axes, k, 1, kept.format(k), framed=False) for k in range(len(steps))],
        [_box(axes, k, 0, "adjoint") for k in range(len(steps))],
    ]
    _settle(axes)
    for k in range(len(steps)):
        _arrow(axes, rows[0][k], rows[1][k], READ)
        _arrow(axes, rows[1][k], rows[2][k], READ)
        if k + 1 < len(steps):
            _arrow(axes, rows[0][k], rows[0][k + 1], READ)
            _arrow(axes, rows[2][k + 1], rows[2][k], ADD)
    _finish(title)


def _layout(edges: Sequence[tuple[str, str, str]]) -> dict[str, tuple[float, float]]:
    """Place each value one column after the last of its operands."""
    names = list(dict.fromkeys(name for edge in edges for name in edge[:2]))
    column = dict.fromkeys(names, 0)
    for _ in names:
        for source, target, _partial in edges:
            column[target] = max(column[target], column[source] + 1)
    found: dict[str, tuple[float, float]] = {}
    for x in sorted(set(column.values())):
        here = [name for name in names if column[name] == x]
        for k, name in enumerate(here):
            found[name] = (float(x), (len(here) - 1) / 2 - k)
    return found


def _box(axes: Axes, x: float, y: float, text: str, framed: bool = True) -> Text:
    box = {"boxstyle": "round,pad=0.35", "facecolor": NODE if framed else "white"}
    box["edgecolor"] = "#667" if framed else "none"
    size = 9 if framed else 8
    return axes.text(x, y, text, ha="center", va="center", family="monospace", fontsize=size, bbox=box)


def _settle(axes: Axes) -> None:
    """Lay out the texts, so that arrows can end at their frames."""
    axes.axis("off")
    axes.figure.canvas.draw()


def _arrow(axes: Axes, start: Text, end: Text, colour: str, bend: float = 0.0) -> None:
    axes.annotate(
        "",
        xy=end.get_position(),
        xytext=start.get_position(),
        arrowprops={
            "arrowstyle": "-|>",
            "color": colour,
            "linewidth": 1.2,
            "connectionstyle": f"arc3,rad={bend}",
            "patchA": start.get_bbox_patch(),
            "patchB": end.get_bbox_patch(),
            "shrinkA": 2,
            "shrinkB": 2,
        },
    )


def _finish(title: str = "") -> None:
    if title:
        plt.gca().set_title(title, fontsize=10)
    plt.tight_layout()
    plt.show()
