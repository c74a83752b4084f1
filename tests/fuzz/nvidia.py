"""Whether NVIDIA's compiler takes what is emitted: many texts in one unit, as one start takes seconds."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from .batch import Verdict

NVCC = shutil.which("nvcc")
ARCHITECTURE = "80"
QUICK = ("-Xcicc", "-O0", "-Xptxas", "-O0")  # whether it compiles doesn't depend on it


def together(texts: Iterable[tuple[str, str]]) -> str:
    """Files as one translation unit: each in a namespace of its own, its macros gone after it.

    Two units that hold files under the same names still collide as the files themselves would.
    """
    parts = []
    for name, text in texts:
        includes = re.findall(r"^\s*#\s*include\b.*$", text, re.MULTILINE)
        body = re.sub(r"^\s*#\s*include\b.*$", "", text, flags=re.MULTILINE)
        macros = dict.fromkeys(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.MULTILINE))
        parts += [*includes, f"namespace golden_{name} {{", f'#line 1 "{name}.cu"', body, "}"]
        parts += [f"#undef {macro}" for macro in macros]
    return "\n".join(parts) + "\n"


def refused(texts: Mapping[str, str]) -> dict[str, str]:
    """Of texts by name what nvcc says of those that it doesn't compile; nothing where there is no nvcc.

    Their kernels may have one name. Warnings don't count: much of a text is its primal's.
    """
    alone = {name: re.sub(r'\bextern\s+"C"\s+', "", text) for name, text in texts.items()}
    if NVCC is None or not alone or not (said := _errors(alone)):
        return {}
    if len(alone) == 1:
        return dict.fromkeys(alone, said)
    names, half = list(alone), len(alone) // 2
    parts = ({name: alone[name] for name in some} for some in (names[:half], names[half:]))
    found = {name: why for part in parts for name, why in refused(part).items()}
    return found or dict.fromkeys(alone, said)  # which collide


def judged(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts, of right texts that nvcc doesn't take another one."""
    wrong = refused(
        {f"n{number}": v.adjoint for number, v in enumerate(verdicts) if v.kind == "ok" and v.adjoint}
    )
    return [
        replace(v, kind="nvcc doesn't compile it", detail=wrong[f"n{number}"]) if f"n{number}" in wrong else v
        for number, v in enumerate(verdicts)
    ]


def _errors(texts: Mapping[str, str]) -> str:
    with tempfile.TemporaryDirectory(prefix="s2sad-") as folder:
        unit = Path(folder, "unit.cu")
        unit.write_text(together(texts.items()), encoding="utf-8")
        command = [
            str(NVCC),
            f"-arch=sm_{ARCHITECTURE}",
            *QUICK,
            "-w",
            "-c",
            "-o",
            f"{folder}/unit.o",
            str(unit),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}" or "nvcc failed"
