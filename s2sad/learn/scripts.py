"""Notebooks as scripts: jupytext's percent format, and how a chapter is read on a terminal."""

from __future__ import annotations

import re
from pathlib import Path

from .. import files, pipeline
from ..options import Options

_CELL = re.compile(r"^# %%(?P<kind> \[markdown\])?.*\n", re.MULTILINE)
_SHOWN = re.compile(r'^kit\.show\("([^"]+)"\)$', re.MULTILINE)
_EXERCISE = re.compile(r'^kit\.exercise\("(\w+)"\)$')
_COMMAND = re.compile(r'^kit\.command\("([^"]+)"[^\n]*\)$', re.MULTILINE)
_EMITTED = re.compile(r'^\w+ = s2sad\.transform\("([^"]+)"\)$', re.MULTILINE)
_CHECKED = re.compile(r'^kit\.verdict\(s2sad\.check\("([^"]+)"\)\)$')
_PICTURE = re.compile(r"^kit\.(graph|touches|tape)\(")


def as_markdown(script: Path) -> str:
    """Return a chapter as Markdown, without what only a notebook has: its header, pictures and imports."""
    text = script.read_text(encoding="utf-8")
    cells = list(_CELL.finditer(text))
    ends = [*(cell.start() for cell in cells[1:]), len(text)]
    parts = []
    for cell, end in zip(cells, ends, strict=True):
        body = text[cell.end() : end].strip("\n")
        said = re.sub(r"^# ?", "", body, flags=re.MULTILINE) if cell["kind"] else _code(body, script.parent)
        parts += [said] if said else []
    return "\n\n".join(parts) + "\n"


def _code(cell: str, folder: Path) -> str:
    """Return a cell of code: the kernel or adjoint that it shows, the commands that it runs, or its text."""
    if _PICTURE.match(cell):
        return ""
    if shown := _SHOWN.search(cell):
        return f"```c\n{(folder / shown[1]).read_text(encoding='utf-8')}```"
    if emitted := _EMITTED.search(cell):
        text = pipeline.transform(files.read(str(folder / emitted[1])), Options()).text
        return "```c\n" + text[text.rindex("\n\n", 0, text.index("__global__")) :].lstrip("\n") + "```"
    if checked := _CHECKED.match(cell):
        return f"    s2sad check {checked[1]}"
    if named := _EXERCISE.match(cell):
        return f"    s2sad lesson {named[1]}"
    if commands := _COMMAND.findall(cell):
        return "\n".join(f"    s2sad {command}" for command in commands)
    return f"```python\n{cell}\n```"
