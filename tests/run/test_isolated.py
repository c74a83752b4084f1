"""Compiled code that crashes, hangs or overruns, and a caller that lives on."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from run_kit import signature

from s2sad.run import isolated
from s2sad.run.backend import CompileFailed, LaunchFailed
from s2sad.run.isolated import Isolated, IsolatedModule

TEXT = """\
extern "C" __global__ void fine(const float *x, float *out, int n) { int t = threadIdx.x; out[t] += 2*x[t]; }
extern "C" __global__ void wild(const float *x, float *out, int n) { out[100000000ll * n] = 1.0f; }
extern "C" __global__ void over(const float *x, float *out, int n) { out[n] = 1.0f; }
extern "C" __global__ void hang(const float *x, float *out, int n) { while (n) n |= 1; }
extern "C" __global__ void zero(const float *x, float *out, int n) { out[0] = 3 / (n - 4); }
"""
KERNELS = {
    name: signature(f"{name}(const float *x, float *out, int n)")
    for name in ("fine", "wild", "over", "hang", "zero")
}


@pytest.fixture(scope="module")
def module() -> Iterator[IsolatedModule]:
    with Isolated("cpu", timeout=0.3) as backend:
        yield backend.compile(TEXT, list(KERNELS.values()), name="t.cu")


def launch(module: IsolatedModule, name: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    out = np.ones(4, np.float32)
    args = {"x": np.arange(4, dtype=np.float32), "out": out, "n": 4}
    module.launch(KERNELS[name], (1, 1, 1), (4, 1, 1), args)
    return out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wild", r"t\.cu: wild crashed: it accessed memory outside of its arrays.*\(SIGSEGV\)"),
        ("over", r"t\.cu: over wrote beyond the end of out"),
        ("hang", r"t\.cu: hang didn't finish within 0\.3 s"),
        ("zero", r"t\.cu: zero crashed: integer division by zero \(SIGFPE\)"),
    ],
)
def test_what_goes_wrong_is_a_message(module: IsolatedModule, name: str, message: str) -> None:
    with pytest.raises(LaunchFailed, match=message):
        launch(module, name)
    assert launch(module, "fine").tolist() == [1, 3, 5, 7]


def test_a_process_with_threads_gets_a_worker_too() -> None:
    """Where forking isn't safe, a new interpreter does the work."""
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        with Isolated("cpu", timeout=10) as backend:
            module = backend.compile(TEXT, list(KERNELS.values()), name="t.cu")
            assert launch(module, "fine").tolist() == [1, 3, 5, 7]
            with pytest.raises(LaunchFailed, match="SIGFPE"):
                launch(module, "zero")
    finally:
        done.set()
        other.join()


def test_arrays_larger_than_the_memory_at_first(module: IsolatedModule) -> None:
    x = np.ones(1 << 20, np.float32)
    args = {"x": x, "out": x.copy(), "n": 4}
    module.launch(KERNELS["fine"], (1, 1, 1), (4, 1, 1), args)
    assert args["out"][:5].tolist() == [3, 3, 3, 3, 1]
    assert launch(module, "fine").tolist() == [1, 3, 5, 7]


def test_errors_of_the_compiler_and_of_arguments_arrive(module: IsolatedModule) -> None:
    with pytest.raises(CompileFailed, match=r"bad\.cu:1:\d+: error"):
        module.backend.compile("nonsense here", [], name="bad.cu")
    with pytest.raises(LaunchFailed, match="no argument x"):
        module.launch(KERNELS["fine"], (1, 1, 1), (4, 1, 1), {"n": 4})
    assert launch(module, "fine").tolist() == [1, 3, 5, 7]


def test_sizes_of_tapes() -> None:
    text = """
        extern "C" size_t k_tape_bytes(dim3 grid, dim3 block, int n) { return grid.x * block.x * n; }
        extern "C" __global__ void k(int n, char *tape) { tape[n] = 1; }"""
    kernel = signature("k(int n, char *tape)")
    with Isolated("cpu") as backend:
        module = backend.compile(text, [kernel])
        assert module.tape_bytes(kernel, (2, 1, 1), (3, 1, 1), {"n": 5}) == 30


def test_a_launch_starts_no_process(module: IsolatedModule, monkeypatch: pytest.MonkeyPatch) -> None:
    launch(module, "fine")
    monkeypatch.setattr(isolated, "_start", lambda: pytest.fail("a worker is started for each launch"))
    for _ in range(3):
        launch(module, "fine")


def many(numbers: list[int]) -> list[dict[str, np.ndarray[tuple[int], np.dtype[np.float32]] | int]]:
    return [{"x": np.full(4, k, np.float32), "out": np.ones(4, np.float32), "n": k} for k in numbers]


def test_launches_that_go_together_are_launches_one_by_one(module: IsolatedModule) -> None:
    several = many([k % 4 for k in range(50)])
    module.together = 8
    module.launch_each(KERNELS["fine"], (1, 1, 1), (4, 1, 1), several)
    for args in several:
        assert args["out"].tolist() == [1 + 2 * args["n"]] * 4  # type: ignore[union-attr, operator]


@pytest.mark.parametrize(("n", "where"), [(4, "beyond the end of out"), (-140, "before the start of x")])
def test_of_launches_that_go_together_each_has_its_guards(module: IsolatedModule, n: int, where: str) -> None:
    numbers = [k % 4 for k in range(9)]
    for at in range(9):
        module.together = 9
        kernel = KERNELS["over"]
        module.launch_each(kernel, (1, 1, 1), (1, 1, 1), many(numbers))
        module.together = 9
        with pytest.raises(LaunchFailed, match=where):
            module.launch_each(kernel, (1, 1, 1), (1, 1, 1), many([*numbers[:at], n, *numbers[at:]]))


def test_a_launch_that_hangs_among_others_is_told(module: IsolatedModule) -> None:
    module.together = 4
    with pytest.raises(LaunchFailed, match=r"hang didn't finish within 0\.3 s"):
        module.launch_each(KERNELS["hang"], (1, 1, 1), (4, 1, 1), many([0, 0, 1, 0]))
    assert launch(module, "fine").tolist() == [1, 3, 5, 7]


def test_after_a_failure_on_a_gpu_the_next_launch_has_a_new_process() -> None:
    """A fault of a kernel leaves its process without a usable context. The CPU stands for the GPU here."""
    with Isolated("cpu", timeout=5) as backend:
        module = backend.compile(TEXT, list(KERNELS.values()), name="t.cu")
        assert backend._worker is not None
        first = backend._worker.pid
        for name, same in (("cpu", True), ("cuda", False)):
            backend._backend = name  # type: ignore[assignment]  # one of the literals
            with pytest.raises(LaunchFailed, match="wrote beyond the end"):
                launch(module, "over")
            backend._backend = "cpu"
            assert launch(module, "fine")[3] == 7
            assert backend._worker is not None
            assert (backend._worker.pid == first) is same
