"""The backend on cuda-bindings and NVRTC, without a GPU.

With the packages of `s2sad[cuda]` texts are compiled by NVRTC, and launched through cuda-bindings on a
libcuda of our own (libcuda.c). Without them, both are fakes.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from golden_kit import asked, made

from s2sad.run import nvrtc
from s2sad.run.backend import BackendUnavailable, CompileFailed
from s2sad.run.gpu import Address, DeviceFailed


def has_packages() -> bool:
    try:
        nvrtc.compiler()
    except BackendUnavailable:
        return False
    return nvrtc.headers() is not None


needs_packages = pytest.mark.skipif(
    not has_packages(),
    reason="NO cuda-bindings WITH NVRTC (pip install 's2sad[cuda]'): the backend wasn't tried",
)
GCC = shutil.which("gcc") or shutil.which("cc")
GOLDENS = (
    "attention_head",
    "batched_lu",
    "bilinear",
    "black_scholes",
    "butterflies",
    "class_templates",
    "cub_softmax",
    "group_grid",
    "group_softmax",
    "half_gain",
    "namespaces",
    "struct_weights",
    "warp_softmax",
)


# ---- with the packages ----------------------------------------------------------------------------------


@needs_packages
@pytest.mark.parametrize("real", ["float", "double"])
@pytest.mark.parametrize("name", GOLDENS)
def test_primal_and_adjoint_compile(name: str, real: Any) -> None:
    pair = made(name, asked(name)).pair
    target = nvrtc.architecture(90)
    texts = ((pair.primal_text if real == "float" else pair.wide_text, [pair.primal]),)
    for text, kernels in (*texts, (pair.adjoint_text, list(pair.kernels))):
        names = [kernel.name for kernel in kernels]
        if real == "double" and "half" in name:
            with pytest.raises(CompileFailed, match="no half precision that is a double"):
                nvrtc.compile_text(text, names, target, real, f"{name}.cu")
            continue
        image = nvrtc.compile_text(text, names, target, real, f"{name}.cu")
        assert image.code.startswith(b"\x7fELF")
        assert all(image.symbols[name].encode() in image.code for name in names)


@needs_packages
def test_a_kernel_is_found_by_its_name_whatever_its_linkage() -> None:
    for head, symbol in (("", "_Z1kPf"), ('extern "C" ', "k"), ("static ", "_Z1kPf")):
        text = f"{head}__global__ void k(float *y) {{ y[0] = 1.0f; }}"
        image = nvrtc.compile_text(text, ["k"], "compute_90", "float", "k.cu")
        assert image.symbols == {"k": symbol}
        assert f".entry {symbol}(".encode() in image.code


@needs_packages
def test_names_that_nvcc_gets_from_headers_are_known() -> None:
    text = """\
#define M_PI 3.0
typedef unsigned int uint;
__global__ void k(uint32_t *y, int64_t *z, uchar *c, uint n)
{
    y[n] = -INFINITY < HUGE_VALF && NAN != NAN && HUGE_VAL > M_E ? (uint16_t)M_PI : (int8_t)z[n] + c[n];
}
"""
    for real in ("float", "double"):
        assert nvrtc.compile_text(text, ["k"], "sm_90", real, "k.cu").code


@needs_packages
def test_errors_of_nvrtc_are_shown_at_their_lines() -> None:
    text = "__global__ void k(float *y)\n{\n    y[0] = q;\n}\n"
    with pytest.raises(CompileFailed, match=r'^k\.cu doesn\'t compile with NVRTC:\nk\.cu\(3\): error.*"q"'):
        nvrtc.compile_text(text, ["k"], "sm_90", "float", "k.cu")
    with pytest.raises(CompileFailed, match=r"k\.cu doesn't compile with NVRTC"):
        nvrtc.compile_text("", ["k"], "sm_90", "float", "k.cu")


@needs_packages
@pytest.mark.skipif(GCC is None, reason="NO gcc: no libcuda of our own")
def test_launches_pass_what_the_driver_expects(tmp_path: Path) -> None:
    """In a process of its own, whose libcuda is libcuda.c; it says what is left at the end."""
    assert GCC
    source = Path(__file__).with_name("libcuda.c")
    subprocess.run(
        [GCC, "-w", "-shared", "-fPIC", "-o", tmp_path / "libcuda.so.1", source, "-ldl"], check=True
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = os.environ | {"LD_LIBRARY_PATH": str(tmp_path), "PYTHONPATH": paths}
    script = Path(__file__).with_name("launches_on_libcuda.py")

    def told(**more: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, script], env=environment | more, capture_output=True, text=True, check=True
        )
        return [*done.stdout.splitlines(), *done.stderr.splitlines()]

    major, minor = nvrtc.version()
    assert told() == [
        f"cuda-bindings with NVRTC {major}.{minor}: No GPU at all",
        "[14.0, 20.0, 26.0, 32.0, 38.0]",
        "[100014.0, 100020.0, 100026.0, 100032.0, 100038.0]",
        "LaunchFailed kernel.cu: scale: cuLaunchKernel: an illegal memory access was encountered",
        "LaunchFailed kernel.cu: scale: cuFuncSetAttribute: another error",
        "contexts 0, live 0",
    ]
    older = told(FAKE_CUDA_VERSION="11080")
    reason = (
        f"BackendUnavailable the GPU's driver supports CUDA 11.8, and NVRTC is {major}.{minor}: update it"
    )
    assert older[0].startswith(reason)


# ---- without them ---------------------------------------------------------------------------------------


class Compiler(ModuleType):
    """Stands for cuda.bindings.nvrtc."""

    def __init__(self, status: int = 0, log: str = "") -> None:
        super().__init__("cuda.bindings.nvrtc")
        self.status = status
        self.log = f"{log}\0".encode()
        self.options: list[bytes] = []
        self.destroyed = 0

    def nvrtcVersion(self) -> tuple[int, int, int]:
        return 0, 13, 2

    def nvrtcGetSupportedArchs(self) -> tuple[int, list[int]]:
        return 0, [75, 80, 90]

    def nvrtcCreateProgram(self, text: bytes, name: bytes, *headers: object) -> tuple[int, str]:
        return 0, "program"

    def nvrtcAddNameExpression(self, program: str, name: bytes) -> tuple[int]:
        return (0,)

    def nvrtcCompileProgram(self, program: str, count: int, options: list[bytes]) -> tuple[int]:
        assert count == len(options)
        self.options = options
        return (self.status,)

    def nvrtcGetProgramLogSize(self, program: str) -> tuple[int, int]:
        return 0, len(self.log)

    def nvrtcGetProgramLog(self, program: str, room: bytearray) -> tuple[int]:
        room[:] = self.log
        return (0,)

    def nvrtcGetLoweredName(self, program: str, name: bytes) -> tuple[int, bytes]:
        return 0, b"_Z" + name

    def nvrtcGetCUBINSize(self, program: str) -> tuple[int, int]:
        return 0, 5

    def nvrtcGetCUBIN(self, program: str, room: bytearray) -> tuple[int]:
        room[:] = b"cubin"
        return (0,)

    def nvrtcGetErrorString(self, status: int) -> tuple[int, bytes]:
        return 0, b"NVRTC_ERROR_COMPILATION"

    def nvrtcDestroyProgram(self, program: str) -> tuple[int]:
        self.destroyed += 1
        return (0,)


def test_a_text_is_compiled_for_an_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler()
    monkeypatch.setattr(nvrtc, "compiler", lambda: compiler)
    image = nvrtc.compile_text("__global__ void k() {}", ["k"], "sm_90", "float", "k.cu")
    assert image == nvrtc.Image(b"cubin", {"k": "_Zk"})
    assert b"--gpu-architecture=sm_90" in compiler.options
    assert compiler.destroyed == 1
    for log, shown in (("k.cu(1): error", "k.cu(1): error"), ("", "NVRTC_ERROR_COMPILATION")):
        refusing = Compiler(6, log)
        monkeypatch.setattr(nvrtc, "compiler", lambda refusing=refusing: refusing)
        with pytest.raises(CompileFailed) as caught:
            nvrtc.compile_text("__global__ void k() {}", ["k"], "sm_90", "float", "k.cu")
        assert str(caught.value) == f"k.cu doesn't compile with NVRTC:\n{shown}"
        assert refusing.destroyed == 1


def test_the_architecture_is_the_devices_or_the_next_lower_as_ptx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "compiler", Compiler)
    assert [nvrtc.architecture(c) for c in (80, 86, 90, 120)] == [
        "sm_80",
        "compute_80",
        "sm_90",
        "compute_90",
    ]
    with pytest.raises(
        BackendUnavailable, match=r"capability 6\.1, and the lowest that NVRTC 13\.2 supports is 7\.5"
    ):
        nvrtc.architecture(61)


def test_headers_are_those_of_the_compilers_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(nvrtc, "compiler", Compiler)
    monkeypatch.setattr(
        nvrtc, "find_spec", lambda _: SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    )
    for place in ("CUDA_PATH", "CUDA_HOME"):
        monkeypatch.delenv(place, raising=False)
    for package, version in (("cuda_runtime", 12090), ("cu13", 13020)):
        folder = tmp_path / package / "include"
        folder.mkdir(parents=True)
        (folder / "cuda_fp16.h").touch()
        (folder / "cuda_runtime_api.h").write_text(f"#define CUDART_VERSION {version}\n")
    assert nvrtc.headers.__wrapped__() == tmp_path / "cu13" / "include"


def test_a_text_that_needs_missing_headers_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "compiler", Compiler)
    monkeypatch.setattr(nvrtc, "headers", lambda: None)
    with pytest.raises(BackendUnavailable, match=r"k\.cu includes headers.*pip install 's2sad\[cuda\]'"):
        nvrtc.compile_text("__global__ void k(half *y) {}", ["k"], "sm_90", "float", "k.cu")


class Cuda(ModuleType):
    """Stands for cuda.bindings.driver; `failing` fails with 100."""

    CUdevice_attribute = SimpleNamespace(
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR=9, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR=0
    )
    CUfunction_attribute = SimpleNamespace(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES=8)
    _results: ClassVar = {
        "cuDeviceGetAttribute": lambda kind, device: kind,
        "cuDriverGetVersion": lambda: 13000,
    }

    def __init__(self, failing: str = "") -> None:
        super().__init__("cuda.bindings.driver")
        self.failing = failing
        self.calls: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("cu"):
            raise AttributeError(name)
        if name == "cuGetErrorString":
            return lambda status: (0, b"no CUDA-capable device is detected")

        def call(*arguments: Any) -> tuple[Any, ...]:
            self.calls.append((name, *arguments))
            if name == self.failing:
                return (100, None)
            return 0, self._results.get(name, lambda *_: name)(*arguments)

        return call


def test_without_a_driver_or_a_device_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_driver(name: str) -> ModuleType:
        raise RuntimeError("Failed to dlopen libcuda.so.1\nand more")

    find_driver = nvrtc.driver.__wrapped__
    monkeypatch.setattr(importlib, "import_module", no_driver)
    with pytest.raises(BackendUnavailable, match=r"can't load the CUDA driver.*libcuda\.so\.1$"):
        find_driver()
    monkeypatch.setattr(importlib, "import_module", lambda name: Cuda("cuInit"))
    with pytest.raises(BackendUnavailable, match="finds no CUDA device: cuInit: no CUDA-capable device"):
        find_driver()


def test_without_nvrtc_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    find_compiler = nvrtc.compiler.__wrapped__

    def no_library(name: str) -> ModuleType:
        raise RuntimeError("Failure finding libnvrtc.so\nlong story")

    monkeypatch.setattr(nvrtc, "installed", lambda: True)
    monkeypatch.setattr(importlib, "import_module", no_library)
    with pytest.raises(
        BackendUnavailable, match=r"\(Failure finding libnvrtc\.so\): pip install 's2sad\[cuda\]'"
    ):
        find_compiler()
    monkeypatch.setattr(nvrtc, "installed", lambda: False)
    with pytest.raises(
        BackendUnavailable, match=r"cuda-bindings is not installed: pip install 's2sad\[cuda\]'"
    ):
        find_compiler()


def test_a_failed_call_leaves_no_context_behind() -> None:
    cuda = Cuda("cuMemcpyHtoD")
    loaded = nvrtc.Driver(cuda).load(nvrtc.Image(b"cubin", {"k": "_Zk"}))
    with pytest.raises(DeviceFailed, match="cuMemcpyHtoD: no CUDA-capable"):
        loaded.write(Address(64), np.zeros(3, np.float32))
    names = [call[0] for call in cuda.calls]
    assert names.count("cuCtxPushCurrent") == names.count("cuCtxPopCurrent") == 2


def test_a_launch_gets_pointers_to_its_arguments() -> None:
    cuda = Cuda()
    loaded = nvrtc.Driver(cuda).load(nvrtc.Image(b"cubin", {"k": "_Zk"}))
    loaded.run("k", (2, 1, 1), (32, 1, 1), [Address(64), np.float32(2)], 64)
    loaded.run("k", (2, 1, 1), (32, 1, 1), [], 50_000)
    first, second = (call for call in cuda.calls if call[0] == "cuLaunchKernel")
    assert first[1:9] == ("cuModuleGetFunction", 2, 1, 1, 32, 1, 1, 64)
    assert second[8:] == (50_000, 0, 0, 0)
    assert [call for call in cuda.calls if call[0] == "cuFuncSetAttribute"] == [
        ("cuFuncSetAttribute", "cuModuleGetFunction", 8, 50_000)
    ]
    assert ("cuModuleGetFunction", "cuModuleLoadData", b"_Zk") in cuda.calls
    assert [nvrtc.in_memory(word).dtype.name for word in (Address(1), np.uint8(1))] == ["uint64", "uint8"]
