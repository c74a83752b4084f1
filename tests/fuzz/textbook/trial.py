"""Runs primals by means of the compiler's own: bounds, undefined behaviour, what was never set.

The kernels are compiled as plain C++, their threads as threads, twice: with local variables that
start as zeros and with ones that start as garbage. A kernel whose outputs differ reads what it
never set; the sanitizers tell of the rest. Nothing of s2sad takes part.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from s2sad.run.cpu.compiler import compiler

from .compose import Composed

_BEFORE = """
#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __shared__ static
#define __syncthreads() meeting->arrive_and_wait()
struct Place { unsigned x, y, z; };
static thread_local Place threadIdx, blockIdx;
static Place blockDim, gridDim;
static std::barrier<> *meeting;
using std::min;
using std::max;
static float atomicAdd(float *to, float by) { float old = *to; *to += by; return old; }
static double atomicAdd(double *to, double by) { double old = *to; *to += by; return old; }
static int atomicAdd(int *to, int by) { return __atomic_fetch_add(to, by, __ATOMIC_SEQ_CST); }
template <typename F> static void launch(int blocks, int threads, bool at_once, F kernel)
{
    blockDim = {(unsigned)threads, 1, 1};
    gridDim = {(unsigned)blocks, 1, 1};
    for (int b = 0; b < blocks; ++b) {
        std::barrier<> here(threads);
        meeting = &here;
        std::vector<std::thread> running;
        for (int t = 0; t < threads; ++t) {
            running.emplace_back([=] {
                blockIdx = {(unsigned)b, 0, 0};
                threadIdx = {(unsigned)t, 0, 0};
                kernel();
            });
            if (!at_once) running.back().join();
        }
        if (at_once) for (auto &one : running) one.join();
    }
}
static unsigned long long state;
static double drawn()
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 40) / 16777216.0;
}
template <typename T> static std::vector<T> reals(int n, double lo, double hi)
{
    std::vector<T> values(n);
    for (T &one : values) one = lo + (hi - lo) * drawn();
    return values;
}
static std::vector<int> whole(int n, int lo, int hi)
{
    std::vector<int> values(n);
    for (int &one : values) one = lo + (int)((hi - lo) * drawn());
    return values;
}
template <typename T> static void told(const char *kernel, const std::vector<T> &values)
{
    std::printf("%s", kernel);
    for (T one : values) std::printf(" %.9g", (double)one);
    std::printf("\\n");
}
"""


def faults(kernels: Sequence[Composed], folder: Path) -> dict[str, str]:
    """Labels of kernels that don't compile, break the language's rules, or read what was never set."""
    texts, calls = [], []
    for number, one in enumerate(kernels):
        name = f"k{number}"
        texts.append(f'namespace space{number} {{\n#line 1 "{name}.cu"\n{one.text(name)}\n#undef SIZE\n}}\n')
        calls.append(_call(number, one))
    body = "\n".join([_BEFORE, *texts, "int main(int, char **words)", "{", *calls, "}"])
    outputs = []
    for start in ("zero", "pattern"):
        program = folder / f"trial_{start}"
        flags = [
            "-std=c++20",
            "-g1",
            "-O0",
            "-w",
            f"-ftrivial-auto-var-init={start}",
            "-fsanitize=address,undefined",
        ]
        flags += ["-fno-sanitize=float-divide-by-zero", "-fno-sanitize-recover=undefined", "-pthread"]
        built = subprocess.run(
            [*compiler().command, *flags, "-x", "c++", "-", "-o", str(program)],
            input=body,
            capture_output=True,
            text=True,
            check=False,
        )
        if built.returncode:
            found = re.findall(r"^k(\d+)\.cu:.*error: .*", built.stderr, flags=re.M)
            lines = {int(n): "" for n in found}
            for line in built.stderr.splitlines():
                if at := re.match(r"k(\d+)\.cu:.*error: ", line):
                    lines[int(at[1])] += f"{line}\n"
            return {kernels[n].label: text for n, text in lines.items()} or {"all": built.stderr[:2000]}
        outputs.append(_run(program, len(kernels)))
    wrong = {}
    for one, first, second in zip(kernels, *outputs, strict=True):
        if first != second or "nan" in first or "inf" in first:
            wrong[one.label] = first if first.startswith("FAILED") else f"zeros:\n{first}garbage:\n{second}"
    return wrong


def _run(program: Path, count: int) -> list[str]:
    """What each kernel leaves; one that ends the process, or takes long, is told and left out."""
    said: list[str] = []
    while len(said) < count:
        command = [str(program), str(len(said))]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=100,
                check=False,
                env={"ASAN_OPTIONS": "detect_leaks=0"},
            )
            out, why = done.stdout, done.stderr[:1500]
        except subprocess.TimeoutExpired as late:
            out, why = (late.stdout or b"").decode(), "it takes too long"
        said += out.split("----\n")[:-1]
        if len(said) < count:
            said.append(f"FAILED: {why}")
    return said


def _call(number: int, one: Composed) -> str:
    """C++ that runs a kernel on the arrays of its case, where its number is asked for."""
    name, case = f"k{number}", one.case()
    head = re.search(r"__global__ void \w+\((.*)\)", one.text())
    assert head
    lines = [f"if (std::atoi(words[1]) <= {number}) {{", "state = 7;"]
    given: list[str] = []
    ends: list[str] = []
    values = dict(re.findall(r"^(\w+) = (.*)$", case.split("[args]\n")[1], flags=re.M))
    for declaration in head[1].split(", "):
        words = re.findall(r"\w+", declaration.replace("__restrict__", ""))
        own, value, real = (
            words[-1],
            values[words[-1]],
            next(w for w in words if w in ("float", "double", "int")),
        )
        if "*" not in declaration:
            lines.append(f"{real} {own} = {value};")
            given.append(own)
            continue
        shape, fill = re.findall(r'"([^"]*)"', value)
        lo, hi = re.findall(r"\(([^,]*),([^)]*)\)", fill)[0]
        make = f"reals<{real}>" if fill.startswith("uniform") else "whole"
        lines.append(f"std::vector<{real}> {own} = {make}({shape.replace('n', values['n'])}, {lo}, {hi});")
        given.append(f"{own}.data()")
        ends.append(f'told("{own}", {own});')
    grid, block = (int(re.search(rf"^{key} = (\d+)", case, flags=re.M)[1]) for key in ("grid", "block"))  # type: ignore[index]
    at_once = "true" if "__syncthreads" in one.text() else "false"
    call = f"launch({grid}, {block}, {at_once}, [&] {{ space{number}::{name}({', '.join(given)}); }});"
    return "\n".join([*lines, call, *ends, 'std::puts("----");', "std::fflush(stdout);", "}"])
