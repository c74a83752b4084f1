"""Every golden adjoint compiles with NVIDIA's compilers: alone, and with its primal in one program.

Warnings count as errors: an unused variable in an emitted file is a fault of ours.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_kit import KERNELS, compilable, emitted, made, modes, text
from nvcc_kit import NVCC, has_nvrtc, nvcc, nvrtc, together
from tiers import half_thorough

needs_nvcc = pytest.mark.skipif(NVCC is None, reason="NO NVCC: the emitted files weren't compiled with it")
needs_nvrtc = pytest.mark.skipif(
    not has_nvrtc(), reason="NO NVRTC (pip install nvidia-cuda-nvrtc): the emitted files weren't compiled"
)

SIZE = 24
# A companion needs its primal's headers, and PyTorch's aren't here.
ALONE = [name for name in KERNELS if "<torch/" not in compilable(name, "")]
GROUPS = [tuple(ALONE[i : i + SIZE]) for i in range(0, len(ALONE), SIZE)]
BESIDE = (
    "block_weights",
    "bounded_while",
    "class_templates",
    "coulomb_operators",
    "device_functions",
    "functors",
    "group_softmax",
    "namespaces",
    "relax_tile",
    "shared_structs",
    "struct_weights",
    "templates",
)


@needs_nvcc
@pytest.mark.parametrize("group", GROUPS, ids=lambda g: f"{g[0]}-{g[-1]}")
def test_nvcc_has_nothing_to_say_of_the_adjoints(group: tuple[str, ...], tmp_path: Path) -> None:
    unit = tmp_path / "adjoints.cu"
    unit.write_text(together((name, compilable(name, emitted(name))) for name in group), encoding="utf-8")
    assert nvcc("-c", "-o", str(tmp_path / "adjoints.o"), str(unit)) == ""


@needs_nvcc
@pytest.mark.thorough
@pytest.mark.parametrize("group", GROUPS, ids=lambda g: f"{g[0]}-{g[-1]}")
def test_nvcc_has_nothing_to_say_of_the_other_shapes(group: tuple[str, ...], tmp_path: Path) -> None:
    """They aren't in files; without NVRTC nothing else compiles them."""
    texts = [(name, made(name, mode).text) for name in group for mode in modes(name)[1:]]
    unit = tmp_path / "adjoints.cu"
    unit.write_text(together((name, compilable(name, text)) for name, text in texts), encoding="utf-8")
    assert nvcc("-c", "-o", str(tmp_path / "adjoints.o"), str(unit)) == ""


@needs_nvcc
@pytest.mark.parametrize("rdc", half_thorough(["true", "false"]))
def test_nvcc_links_adjoints_beside_their_primals(rdc: str, tmp_path: Path) -> None:
    """These have the most dependencies: functions, structs, constants, tapes, helpers of ours."""
    files = {
        "primals": together((name, text(name)) for name in BESIDE),
        "adjoints": together((name, emitted(name)) for name in BESIDE) + "int main() { return 0; }\n",
    }
    for stem, unit in files.items():
        (tmp_path / f"{stem}.cu").write_text(unit, encoding="utf-8")
    sources = [str(tmp_path / f"{stem}.cu") for stem in files]
    # std::swap on the device is constexpr in C++20; code that calls it needs a flag
    flags = ("-std=c++20", "--expt-relaxed-constexpr")
    assert nvcc(f"-rdc={rdc}", *flags, "-o", str(tmp_path / "program"), *sources) == ""


@needs_nvrtc
@pytest.mark.parametrize("name", ALONE)
def test_nvrtc_compiles_every_shape_alone(name: str) -> None:
    for mode in modes(name):
        assert nvrtc(compilable(name, made(name, mode).text), f"{name}_adj.cu") == "", mode
