"""What s2sad writes, its own front end reads: atomics, barriers, local pointers, output pointers."""

from __future__ import annotations

import pytest
from lowering_kit import lowered, program, refusals

EMITTED = [
    ("atomicAdd(&x[i], a * b);", "atomicAdd(&x[i], a * b);"),
    ("atomicAdd(x, a);", "atomicAdd(&x[0], a);"),
    ("__syncthreads();", "__syncthreads();"),
    ("__syncwarp();", "__syncwarp();"),
    ("a += __shfl_down_sync(~0u, a, 16);", "a += __shfl_down_sync(~0u, a, <unsigned int>16);"),
    ("__shared__ float s[32];\ns[i] = a;", "__shared__ float s[32];\ns[i] = a;"),
    ("float *p = x + i;\np[0] += a;\n*p = b;", "float *p = x + i;\np[0] += a;\np[0] = b;"),
    ("const float *p = &c[i];\na = p[1];", "const float *p = &c[i];\na = p[1];"),
    (
        "char *t = (char *)x;\nfloat *s = (float *)(t + 16) + n;",
        "char *t = (char *)x;\nfloat *s = (float *)(t + 16) + n;",
    ),
    (
        "unsigned *flag = (unsigned *)x;\n*flag = 1;",
        "unsigned int *flag = (unsigned int *)x;\nflag[0] = <unsigned int>1;",
    ),
    (
        "if (n > 0 && __syncthreads_or(i))\n    a = b;",
        "if (n > 0 && <bool>__syncthreads_or(i)) {\n    a = b;\n}",
    ),
    ("float s, t;\nsincosf(a, &s, &t);", "float s;\nfloat t;\nsincosf(a, &s, &t);"),
    ("x[0] = 0.0f / 0.0f;", "x[0] = 0.0f / 0.0f;"),
    ('x[0] = nanf("");', 'x[0] = nanf("");'),
]


@pytest.mark.parametrize(("body", "shown"), EMITTED)
def test_what_is_emitted_is_read(body: str, shown: str) -> None:
    assert lowered(body, dialect="emitted") == shown


ADJOINT = """\
static __device__ void f_adj(float u, float *adj_u, const float *w, float *adj_w, float adj_v)
{
    *adj_u += 2.0f * u * adj_v;
    atomicAdd(&adj_w[0], w[0]);
}
"""


def test_adjoint_functions_write_through_pointers() -> None:
    body = "float adj_a = 0.0f;\nf_adj(a, &adj_a, c, x, b);\nf_adj(a, &x[i], c, x + i, b);"
    result = program(body, before=ADJOINT, dialect="emitted")
    assert list(result.functions) == ["f_adj"]
    assert lowered(body, before=ADJOINT, dialect="emitted") == (
        "float adj_a = 0.0f;\nf_adj(a, &adj_a, c, x, b);\nf_adj(a, &x[i], c, x + i, b);"
    )


def test_local_arrays_are_passed_by_their_address() -> None:
    before = "__device__ void g(const float *w, float *r) { r[0] = w[1]; }\n"
    body = "float q[2], r[2];\ng(q, r);\ng(q, &r[1]);"
    assert lowered(body, before=before, dialect="emitted") == (
        "float q[2];\nfloat r[2];\ng(q, r);\ng(q, &r[1]);"
    )


@pytest.mark.parametrize(
    "body", [body for body, _ in EMITTED if "*" in body and "atomic" not in body and "float *p" not in body]
)
def test_a_primal_may_not_contain_most_of_it(body: str) -> None:
    assert refusals(body)


def test_a_const_pointer_is_not_written_through_there_either() -> None:
    from s2sad.diagnostics import Rejected

    with pytest.raises(Rejected):
        lowered("const float *p = c;\np[0] = 1.0f;", dialect="emitted")
    with pytest.raises(Rejected):
        lowered("float *p = c;", dialect="emitted")
