"""Every golden adjoint goes through NVIDIA's compilers: alone, and beside its primal in one program.

Warnings count as errors: an unused variable in an emitted file is a fault of ours.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_kit import KERNELS, asked, made, modes, text
from nvcc_kit import NVCC, has_nvrtc, nvcc, nvrtc, together

needs_nvcc = pytest.mark.skipif(NVCC is None, reason="NO NVCC: the emitted files weren't compiled with it")
needs_nvrtc = pytest.mark.skipif(
    not has_nvrtc(), reason="NO NVRTC (pip install nvidia-cuda-nvrtc): the emitted files weren't compiled"
)

SIZE = 12
GROUPS = [KERNELS[i : i + SIZE] for i in range(0, len(KERNELS), SIZE)]


# Relocatable device code sees more names than a whole program: one group shows that the other links too.
LINKED = [(group, "true") for group in GROUPS] + [(GROUPS[0], "false")]


@needs_nvcc
@pytest.mark.parametrize(
    ("group", "rdc"), LINKED, ids=lambda v: v if isinstance(v, str) else f"{v[0]}-{v[-1]}"
)
def test_nvcc_links_adjoints_beside_their_primals(group: tuple[str, ...], rdc: str, tmp_path: Path) -> None:
    files = {
        # a whole file of an extension has host code that wants the framework
        "primals": together((name, text(name)) for name in group if "<torch/" not in text(name)),
        "adjoints": together((name, made(name, asked(name)).text) for name in group),
        "main": "int main() { return 0; }\n",
    }
    for stem, unit in files.items():
        (tmp_path / f"{stem}.cu").write_text(unit, encoding="utf-8")
    sources = [str(tmp_path / f"{stem}.cu") for stem in files]
    # std::swap on the device is C++20's, by a flag that code which calls it is built with
    flags = ("-std=c++20", "--expt-relaxed-constexpr") if "std::swap" in files["primals"] else ()
    assert nvcc(f"-rdc={rdc}", *flags, "-o", str(tmp_path / "program"), *sources) == ""


@needs_nvrtc
@pytest.mark.parametrize("name", KERNELS)
def test_nvrtc_compiles_every_shape_alone(name: str) -> None:
    for mode in modes(name):
        assert nvrtc(made(name, mode).text, f"{name}_adj.cu") == "", mode
