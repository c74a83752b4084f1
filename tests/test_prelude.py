"""The list of functions that device code can call, compared with the compiler's."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_rules import c

from s2sad import parse, rules
from s2sad.emit.helpers import text as helper_text
from s2sad.ir import BOOL, DOUBLE, FLOAT, INT, UINT, Call, Expr, Place, Pointer, Scalar, Sym, Type
from s2sad.parse.types.builtins import BUILTINS, Builtin
from s2sad.partial_expressions import HELPERS
from s2sad.source import Source

ROOT = Path(__file__).parent.parent
PRELUDE = ROOT / "s2sad" / "parse" / "types" / "builtins.toml"
GENERATOR = ROOT / "tools" / "list_cuda_math.py"


def signatures(name: str) -> set[tuple[tuple[Type, ...], Type]]:
    return {(b.params, b.result) for b in BUILTINS[name]}


def test_a_name_has_its_overloads() -> None:
    assert signatures("sin") == {((DOUBLE,), DOUBLE), ((FLOAT,), FLOAT)}
    assert signatures("sinf") == {((FLOAT,), FLOAT)}
    assert signatures("isnan") == {((DOUBLE,), BOOL), ((FLOAT,), BOOL)}
    assert ((FLOAT, FLOAT), FLOAT) in signatures("max")
    assert ((INT, UINT), UINT) in signatures("max")
    assert ((INT,), INT) in signatures("abs")
    assert ((FLOAT,), FLOAT) in signatures("abs")
    assert "printf" not in BUILTINS


def test_outputs_are_pointers_and_inputs_pointers_to_const() -> None:
    (sincosf,) = BUILTINS["sincosf"]
    assert sincosf.params == (FLOAT, Pointer(FLOAT), Pointer(FLOAT))
    (norm,) = BUILTINS["norm"]
    assert norm.params == (INT, Pointer(DOUBLE, const=True))


def test_default_arguments_give_one_overload_each() -> None:
    lengths = {len(b.params) for b in BUILTINS["__shfl_down_sync"]}
    assert lengths == {3, 4}


def test_one_rule_serves_all_precisions_and_intrinsics() -> None:
    for name in ("sin", "sinf", "__sinf"):
        assert {b.rule for b in BUILTINS[name]} == {"sin"}
    assert {b.rule for b in BUILTINS["__fmul_ru"]} == {"operator*"}
    assert {b.rule for b in BUILTINS["min"]} == {"fmin", "integer"}
    assert {b.rule for b in BUILTINS["__float_as_int"]} == {"bits"}


# ---- against nvcc -----------------------------------------------------------


def same_version() -> bool:
    """Whether there is an nvcc of the version whose headers were listed."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return False
    told = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=False).stdout
    listed = re.search(r"headers of CUDA ([\d.]+);", PRELUDE.read_text(encoding="utf-8"))
    return listed is not None and f"release {listed[1]}," in told


needs_nvcc = pytest.mark.skipif(
    not same_version(), reason="NO NVCC of the listed version: signatures and partials weren't compiled"
)


def compiled(source: Path) -> None:
    done = subprocess.run(
        ["nvcc", "-std=c++17", "-arch=sm_90", "-ptx", "-o", "/dev/null", str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:4000]


def c_type(type_: Type) -> str:
    match type_:
        case Scalar(name):
            return name
        case Pointer(Scalar(name), const):
            return f"{'const ' if const else ''}{name} *"
    raise AssertionError(type_)


@needs_nvcc
def test_names_types_and_results_are_the_compilers(tmp_path: Path) -> None:
    headers = ("cuda_bf16.h", "cuda_fp16.h", "type_traits", "utility")
    lines = [*(f"#include <{h}>" for h in headers), "template <class T> __device__ T a();"]
    # Without a mask they don't exist from sm_70 on, and are listed to be refused by name.
    gone = ("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor")
    for name in BUILTINS:
        for b in BUILTINS[name] if name not in gone else ():
            args = ", ".join(f"a<{c_type(p)}>()" for p in b.params)
            lines.append(
                f'static_assert(std::is_same<decltype({name}({args})), {c_type(b.result)}>::value, "");'
            )
    source = tmp_path / "prelude.cu"
    source.write_text("\n".join(lines) + "\n")
    compiled(source)


def partials_of(b: Builtin) -> list[str]:
    """Return statements that evaluate every partial of one function, as next to the author's call."""
    rule = rules.load()[b.rule]
    if not any(rule.jacobian.values()) or len(rule.parameters) != len(b.params):
        assert not any(rule.jacobian.values()), b
        return []
    known: dict[str, Expr] = {}
    for k, (name, type_) in enumerate(zip(rule.parameters, b.params, strict=True)):
        scalar = type_.target if isinstance(type_, Pointer) else type_
        assert isinstance(scalar, Scalar)
        known[name] = Place(
            Sym(f"{'d' if scalar == DOUBLE else 'f' if scalar == FLOAT else 'i'}{k}", scalar), (), scalar
        )
    real = b.result if isinstance(b.result, Scalar) and b.result.is_float else b.params[0]
    assert isinstance(real, Scalar)
    value = Place(Sym("dr" if real == DOUBLE else "fr", real), (), real)
    call = Call(b.name, tuple(known.values()), b.result, rule=b.rule)
    return [
        f"out = {c(rules.instantiate(partial, known, value, real, call=call))};  // {b.name} {arg}"
        for by_arg in rule.jacobian.values()
        for arg, partial in by_arg.items()
    ]


@needs_nvcc
def test_every_partial_of_every_function_compiles_on_the_device(tmp_path: Path) -> None:
    helpers = [helper_text(name, real, f) for name in HELPERS for real, f in (("double", ""), ("float", "f"))]
    names = ", ".join(f"d{k} = out" for k in "r01234"), ", ".join(f"f{k} = out" for k in "r01234")
    lines = [*helpers, "__global__ void k(volatile double *p, int i0, int i1, int i2)", "{", "#define out *p"]
    lines += [f"double {names[0]};", f"float {names[1]};"]
    lines += [statement for name in BUILTINS for b in BUILTINS[name] for statement in partials_of(b)]
    source = tmp_path / "partials.cu"
    source.write_text("\n".join([*lines, "}"]) + "\n")
    compiled(source)


@needs_nvcc
def test_the_list_is_what_the_headers_say() -> None:
    assert subprocess.run([sys.executable, str(GENERATOR), "--check"], check=False).returncode == 0


# ---- the script -------------------------------------------------------------

HEADER = """
/* double commented(double x); */
extern __device__ __device_builtin__ double       newfun(double x) __THROW;
extern __device__ __device_builtin__ float        newfunf(float x) __THROW;
extern __device__ __device_builtin__ long double  newfun(long double x);
static __MATH_FUNCTIONS_DECL__ int popcount(unsigned v = 0, float2 w);
static __MATH_FUNCTIONS_DECL__ void both(const float a, float *const s, int width = 32) { }
extern double host_only(double x);
"""


def test_the_script_takes_facts_and_leaves_what_the_language_lacks(tmp_path: Path) -> None:
    (tmp_path / "crt").mkdir()
    (tmp_path / "crt" / "math_functions.h").write_text(HEADER)
    sys.path.insert(0, str(GENERATOR.parent))
    try:
        import list_cuda_math as script
    finally:
        sys.path.pop(0)
    text = script.render(script.signatures(tmp_path), "1.0")
    assert text.split("\n\n", 1)[1] == (
        'both = [\n    "void both(float, float *)",\n    "void both(float, float *, int)",\n]\n'
        'newfun = [\n    "double newfun(double)",\n    "float newfunf(float)",\n]\n'
    )


def test_our_own_parser_reads_the_helpers() -> None:
    helpers = [helper_text(name, real, f) for name in HELPERS for real, f in (("double", ""), ("float", "f"))]
    calls = [
        f"{name}{f}({', '.join(['y[0]'] * count)})" for name, count in HELPERS.items() for f in ("", "f")
    ]
    kernel = f"__global__ void k(float *y) {{ y[0] = {' + '.join(calls)}; }}"
    program = parse.program(Source("k.cu", "\n".join([*helpers, kernel])), dialect="emitted")
    assert len(program.functions) == len(calls)
