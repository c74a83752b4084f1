"""The emitted host program computes what Python does: it is compiled for the CPU and called."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from chain_kit import random_chain, used_values, values
from nvcc_kit import NVCC, nvcc

from s2sad.chain import Chain
from s2sad.chain.engine import Machine
from s2sad.run.backend import Backend
from s2sad.run.cpu import host
from s2sad.run.registry import find
from s2sad.validate.elements import Array
from s2sad.validate.recipe import Value

EXAMPLES = Path(__file__).parents[2] / "examples"
CHAINS = ("diffusion_inverse/plate", "lstm_sequence/sequence", "wave_inverse/shot")


class Called:
    """The result of a program's function NAME_gradient: arrays after it, gradients, or an error."""

    def __init__(self, chain: Chain, given: dict[str, Value], seeds: dict[str, Array]) -> None:
        """Compile the program with doubles and call it."""
        linked, name = chain.linked, f"{chain.name}_gradient"
        library = host.load(chain.source(), [name], real="double", quick=True)
        find_it = getattr(library, f"s2sad_host_{name}")
        find_it.restype = ctypes.c_void_p
        function = ctypes.CFUNCTYPE(ctypes.c_char_p, *[ctypes.c_void_p] * 4)(find_it())
        self.arrays: dict[str, Array] = {n: np.array(given[n]) for n in linked.arrays}
        asked = [n for n in (*linked.arrays, *linked.scalars) if n in {*linked.of, *linked.wrt}]
        seven = {n: np.full(max(1, np.size(given[n])), 7.0) for n in asked}  # to be replaced
        self.adjoints = {n: seeds[n].ravel().copy() if n in seeds else seven[n] for n in asked}
        real = {"float": ctypes.c_double, "double": ctypes.c_double}
        numbers = _struct({n: real.get(t, ctypes.c_longlong)(given[n]) for n, t in linked.scalars.items()})
        pointers = _struct({n: _address(array) for n, array in self.arrays.items()})
        lengths = _struct({n: ctypes.c_size_t(array.size) for n, array in self.arrays.items()})
        adjoints = _struct({n: _address(array) for n, array in self.adjoints.items()})
        found = function(*(ctypes.addressof(one) for one in (numbers, lengths, pointers, adjoints)))
        self.error = found.decode() if found else ""


def _address(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _struct(fields: dict[str, object]) -> ctypes.Structure:
    kinds = [(name, type(value)) for name, value in fields.items()]
    made: ctypes.Structure = type("Made", (ctypes.Structure,), {"_fields_": kinds})(*fields.values())
    return made


@pytest.fixture(scope="module")
def cpu() -> Backend:
    return find("cpu")


def agrees(chain: Chain, given: dict[str, Value], cpu: Backend) -> None:
    random = np.random.default_rng(5)
    seeds: dict[str, Array] = {n: random.uniform(0.5, 1.5, np.shape(given[n])) for n in chain.of}
    machine = Machine(chain.linked, chain.kernels, chain.plan, cpu, "double", quick=True)
    result = chain.differentiate(machine, given, seeds)
    called = Called(chain, given, seeds)
    assert called.error == ""
    for name, array in called.arrays.items():
        np.testing.assert_allclose(array, result.outputs[name], rtol=1e-12, atol=1e-12)
    for name in chain.wrt:
        expected = result.gradients[name].ravel()
        largest = float(np.max(np.abs(expected)))
        np.testing.assert_allclose(called.adjoints[name], expected, rtol=1e-11, atol=1e-12 * largest)


@pytest.mark.parametrize("file", CHAINS)
def test_an_example_as_a_program_agrees_with_python(file: str, cpu: Backend) -> None:
    chain = Chain.from_toml(EXAMPLES / f"{file}.toml")
    agrees(chain, chain.values({"steps": 12} if "steps" in chain.linked.scalars else None, "double"), cpu)


@pytest.mark.parametrize("seed", [3, 8, 17])
def test_a_random_chain_as_a_program_agrees_with_python(seed: int, cpu: Backend) -> None:
    random = np.random.default_rng(seed)
    chain = random_chain(random)
    agrees(chain, chain.values(used_values(chain, values(random)), "double"), cpu)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_random_chains_as_programs_agree_with_python(seed: int, cpu: Backend) -> None:
    random = np.random.default_rng(seed)
    chain = random_chain(random)
    agrees(chain, chain.values(used_values(chain, values(random)), "double"), cpu)


@pytest.mark.skipif(not NVCC, reason="needs nvcc")
@pytest.mark.parametrize("file", CHAINS)
def test_nvcc_compiles_an_example_without_warnings(file: str, tmp_path: Path) -> None:
    program = tmp_path / "program.cu"
    program.write_text(Chain.from_toml(EXAMPLES / f"{file}.toml").source(), encoding="utf-8")
    assert nvcc("-c", str(program), "-o", str(tmp_path / "program.o")) == ""


def test_an_error_is_returned(cpu: Backend) -> None:
    chain = Chain.from_toml(EXAMPLES / "lstm_sequence/sequence.toml")
    given = chain.values(real="double")
    seeds: dict[str, Array] = {"y": np.ones(np.shape(given["y"]))}
    called = Called(chain, {**given, "steps": 13}, seeds)
    assert "args.x" not in called.error
    assert called.error.endswith("is not inside of x")
    assert "x[t * batch * inputs : (t + 1) * batch * inputs]" in called.error


def test_a_program_says_what_it_does(cpu: Backend) -> None:
    text = Chain.from_toml(EXAMPLES / "wave_inverse/shot.toml").source()
    for line in (
        "//   repeat steps, counted by t:",
        "//       wave(u, s, previous, wavelet, source, t, width, height)",
        "//       swap(u, previous)",
        "//   the loop over t: u, previous before some of its steps, by the binomial schedule",
    ):
        assert line in text
    assert all(len(line) <= 110 for line in text.split("\n"))


def test_a_caller_in_cpp_gets_the_gradient_that_python_gets(capfd: pytest.CaptureFixture[str]) -> None:
    folder = EXAMPLES / "diffusion_inverse"
    chain = Chain.from_toml(folder / "plate.toml")
    caller = (folder / "main.cpp").read_text(encoding="utf-8")
    text = caller.replace('#include "plate.cu"\n', chain.source())
    assert text != caller
    library = host.load(text, ["main"], quick=True)
    library.s2sad_host_main.restype = ctypes.c_void_p
    assert ctypes.CFUNCTYPE(ctypes.c_int)(library.s2sad_host_main())() == 0
    row, column = np.indices((24, 24))
    hot = ((row // 3 + column // 3) % 2 == 0).astype(np.float64)
    found = chain.gradient(
        {"u": hot, "v": hot.copy(), "k": np.full((24, 24), 0.6)},
        seeds=lambda outputs: {"u": outputs["u"] - 0.5},
    )
    misfit = 0.5 * float(np.sum((found.outputs["u"] - 0.5) ** 2))
    norm = float(np.linalg.norm(found.gradients["k"]))
    assert capfd.readouterr().out.startswith(f"misfit {misfit:.6f}, norm of its gradient {norm:.6f}, ")


@pytest.mark.skipif(not NVCC, reason="needs nvcc")
def test_nvcc_compiles_the_caller(tmp_path: Path) -> None:
    folder = EXAMPLES / "diffusion_inverse"
    (tmp_path / "plate.cu").write_text(Chain.from_toml(folder / "plate.toml").source(), encoding="utf-8")
    (tmp_path / "main.cpp").write_text((folder / "main.cpp").read_text(encoding="utf-8"), encoding="utf-8")
    program = str(tmp_path / "plate.o")
    assert nvcc("-x", "cu", "-c", str(tmp_path / "main.cpp"), "-o", program) == ""
