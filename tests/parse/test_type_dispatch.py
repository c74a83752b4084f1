"""Types of a kernel template that PyTorch's dispatch macros give in host code."""

from __future__ import annotations

import pytest
from front import source

from s2sad import ir, parse

KERNEL = (
    "#include <torch/extension.h>\ntemplate <typename scalar>\n"
    "__global__ void k(const scalar *x, scalar *y)\n{\n    y[0] = x[0] * x[1];\n}\n"
)
LAUNCH = "k<scalar_t><<<(n + 31) / 32, 32>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>());"


def argument(text: str) -> ir.TemplateArgument:
    (found,) = parse.program(source(text), kernel="k").template
    return found


@pytest.mark.parametrize(
    ("macro", "given", "body", "type", "others"),
    [
        ("FLOATING_TYPES", "x.scalar_type()", LAUNCH, "float", "double"),
        ("FLOATING_TYPES_AND_HALF", "x.type()", "using T = scalar_t; k<T><<<1, 2>>>(x, y);", "float",
         "double, __half"),
        ("FLOATING_TYPES_AND", "torch::kHalf, x.type()", LAUNCH, "float", "double, __half"),
        ("FLOATING_TYPES_AND2", "at::ScalarType::Half, at::ScalarType::BFloat16, x.type()",
         "typedef scalar_t T; using U = T; k<U><<<1, 2>>>(x, y);", "float",
         "double, __half, __nv_bfloat16"),
        ("FLOATING_AND_COMPLEX_TYPES", "x.type()", LAUNCH, "float", "double"),
        ("REDUCED_FLOATING_TYPES", "x.type()", f"run([&] {{ {LAUNCH} }});", "__half", "__nv_bfloat16"),
        ("CASE", "at::kDouble", LAUNCH, "double", ""),
    ],
)  # fmt: skip
def test_a_dispatch_macro_gives_types(macro: str, given: str, body: str, type: str, others: str) -> None:
    host = f'void f(torch::Tensor x)\n{{\n    TORCH_CHECK(x.is_cuda(), "no", x);\n    AT_DISPATCH_{macro}'
    host += f'({given}, "k", ([&] {{ {body} C10_CUDA_KERNEL_LAUNCH_CHECK(); }}));\n}}\n'
    found = argument(KERNEL + host)
    assert (found.text, found.origin) == (type, f"AT_DISPATCH_{macro} in line 10")
    assert ", ".join(choice for choice in found.choices if choice != type) == others
    also = f", which also has {others}" if others else ""
    assert found.why == f"scalar from AT_DISPATCH_{macro} in line 10{also}"


@pytest.mark.parametrize(
    "host",
    [
        'AT_DISPATCH_FLOATING_TYPES(t, "k", [&] { }); k<scalar_t><<<1, 2>>>(x, y);',
        'AT_DISPATCH_FLOATING_TYPES(t, "k", [&] { k<other_t><<<1, 2>>>(x, y); });',
        'MY_DISPATCH(t, "k", [&] { k<scalar_t><<<1, 2>>>(x, y); });',
    ],
    ids=["outside", "another type", "another macro"],
)
def test_what_isn_t_dispatched_is_unknown(host: str) -> None:
    found = argument(f"{KERNEL}void f() {{ {host} }}")
    assert (found.text, found.choices) == ("float", ())
    assert found.why == "nothing in the file says what scalar is"


def test_an_explicit_argument_comes_before_a_dispatched_one() -> None:
    host = (
        f'void f() {{ AT_DISPATCH_FLOATING_TYPES(t, "k", [&] {{ {LAUNCH} }}); k<double><<<1, 2>>>(x, y); }}'
    )
    assert argument(f"{KERNEL}void f() {{ {host} }}").why == "scalar from its use in line 7"


def test_a_dispatched_case_comes_before_no_case() -> None:
    cases = "".join(f"AT_DISPATCH_CASE(at::k{type}, [&] {{ {LAUNCH} }})\n" for type in ("Double", "Float"))
    host = f'void f() {{ AT_DISPATCH_SWITCH(t, "k",\n{cases}); }}'
    found = argument(KERNEL + host)
    assert (found.text, found.origin) == ("float", "AT_DISPATCH_CASE in line 9")
    assert found.choices == ("double", "float")
