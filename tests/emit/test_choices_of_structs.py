"""`c ? a[i] : zero` for each field of a struct is one choice between two structs again."""

from __future__ import annotations

import pytest

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """struct Site { float x, y; int kind; };
extern "C" __global__ void k(const float4 *a, const float4 *b, const Site *s, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Site nobody = {0.0f, 0.0f, 1};
    BODY
    if (i < n)
        y[i] = USE;
}
"""
ALL = "p.x * p.y + sinf(p.z) * p.w"
WHOLE = {
    "all fields": ("float4 p = i < m ? a[i] : b[i];", ALL, "float4 p = i < m ? a[i] : b[i];"),
    "zeros": (
        "float4 p = i < m ? a[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);",
        ALL,
        "float4 p = i < m ? a[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);",
    ),
    "fields that are needed": (
        "float4 p = i < m ? a[i] : make_float4(1.0f, 1.0f, 1.0f, 1.0f);",
        "p.x * p.x * p.y",
        "float4 p = i < m ? a[i] : make_float4(1.0f, 1.0f, 1.0f, 1.0f);",
    ),
    "a struct": (
        "Site p = i < m ? s[i] : nobody;",
        "p.x * p.x * p.y * p.kind",
        "Site p = i < m ? s[i] : nobody;",
    ),
}
APART = {
    "two conditions": "float4 p = make_float4(i < m ? a[i].x : 0.0f, i < n ? a[i].y : 0.0f, a[i].z, a[i].w);",
    "two elements": "float4 p = a[i]; p.x = i < m ? a[i].x : 0.0f; p.y = i < m ? b[i].y : 0.0f;",
    "two numbers": (
        "float4 p; p.x = i < m ? a[i].x : 0.0f; p.y = i < m ? a[i].y : 1.0f; p.z = a[i].z; p.w = 0.0f;"
    ),
    "fields in another order": (
        "float4 p; p.x = i < m ? a[i].y : 0.0f; p.y = i < m ? a[i].x : 0.0f; p.z = p.x; p.w = p.y;"
    ),
}


def adjoint(body: str, use: str) -> str:
    source = KERNEL.replace("BODY", body).replace("USE", use)
    done = transform(Source("k.cu", source), Options(of=("y",), wrt=("a", "b", "s")))
    text = " ".join(done.text.split())
    return text[text.index("__global__") :]


@pytest.mark.parametrize("name", WHOLE)
def test_one_choice_is_one_again(name: str) -> None:
    body, use, wanted = WHOLE[name]
    assert wanted in adjoint(body, use)


@pytest.mark.parametrize("name", APART)
def test_other_choices_stay_apart(name: str) -> None:
    assert "? a[i] :" not in adjoint(APART[name], "p.x * p.x * p.y")
