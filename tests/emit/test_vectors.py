"""Vectors stay vectors: what is one operation, what stays by component, and that all gradients are right."""

from __future__ import annotations

from collections.abc import Iterator

import gradient_kit
import pytest

from s2sad.options import Mode
from s2sad.pipeline import Transformed
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

HEAD = """\
__device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
__device__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ float3 operator*(float3 a, float s) { return s * a; }
__device__ float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
__device__ float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }
__device__ void operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__device__ void add_to(float3 *to, float3 v)
{
    atomicAdd(&to->x, v.x);
    atomicAdd(&to->y, v.y);
    atomicAdd(&to->z, v.z);
}
struct Body { float3 at, v; float mass; };
"""
KERNEL = """\
extern "C" __global__ void k(const float3 *p, const float3 *q, const Body *bodies, const float *w,
                             const int *idx, float3 *out, float *s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    BODY
}
"""
CASE = """\
[launch]
grid = 3
block = 4
[args]
n = 11
p = { shape = 11, fill = "uniform(-1, 1)" }
q = { shape = 11, fill = "uniform(0.3, 1)" }
bodies = { shape = 11, fill = "uniform(0.5, 1.5)" }
w = { shape = 11, fill = "uniform(0.4, 1)" }
idx = { shape = 11, fill = "randint(0, 11)" }
out = { shape = 11, fill = "zeros" }
s = { shape = 11, fill = "zeros" }
"""

WHOLE: dict[str, tuple[str, tuple[str, ...]]] = {
    "a sum and a difference": (
        "out[i] = p[i] + w[i] * (q[i] - p[i]);",
        ("adj_p[i] += g_out - g_q_x_p;", "= dot(q[i] - p[i], g_out);"),
    ),
    "a scalar product": (
        "s[i] = w[i] * dot(p[i], q[i]);",
        ("adj_p[i] += g_dot_p_q * q[i];", "adj_w[i] += dot(p[i], q[i]) * g_s;"),
    ),
    "its own scalar product": (
        "s[i] = sqrtf(dot(q[i], q[i]));",
        ("adj_q[i] += g_s * rsqrtf(dot(q[i], q[i])) * q[i];",),
    ),
    "a cross product": (
        "out[i] = cross(p[i], q[i]);",
        ("float3 adj_a = cross(b, g_out);", "float3 adj_b = cross(g_out, a);"),
    ),
    "a triple product": (
        "s[i] = dot(p[i], cross(q[i], bodies[i].at - q[0]));",
        ("adj_p[i] += g_s * cross(a, b);", "float3 adj_a = cross(b, g_cross_a_b);"),
    ),
    "a cross product beside others": (
        "float3 d = p[i] - q[i]; out[i] = w[i] * d + 0.5f * cross(d, q[i]);",
        ("float3 adj_d = s_out_i * g_out + cross(b, g_cross_d_b);",),
    ),
    "a quotient": (
        "out[i] = p[i] / w[i];",
        ("float3 g_p = per_s_out_i * adj_out[i];", "= -dot(per_s_out_i * p[i], g_p);"),
    ),
    "a negative": ("out[i] = -(w[i] * p[i]);", ("adj_p[i] -= s_out_i * g_out;",)),
    "atomics": (
        "add_to(&out[idx[i]], w[i] * p[idx[i]] + q[idx[i]]);",
        ("atomic_add(&adj_q[idx[i]], adj_v);", "// add_to(&out[idx[i]], w[i] * p[idx[i]] + q[idx[i]])"),
    ),
    "fields of structs": (
        "Body b = bodies[i]; out[i] = b.mass * (b.at + w[i] * b.v); s[i] = dot(b.v, b.at);",
        ("adj_bodies[i].at += adj_b.at;",),
    ),
    "components by hand": (
        "float3 a = p[i]; a.x *= w[i]; a.y *= w[i]; a.z *= w[i]; out[i] = a + q[i];",
        ("adj_p[i] += w[i] * g_out;",),
    ),
    "a product by component": (
        "float3 c = p[i] * q[i]; out[i] = w[i] * c * p[0]; s[i] = dot(c, q[i]);",
        ("float3 c = p[i] * q[i];", "adj_q[i] += p[i] * adj_c;", "adj_p0 = s * c * g_out;"),
    ),
    "in a loop": (
        "float3 a = p[i]; for (int j = 0; j < 3; ++j) a += w[j] * q[(i + j) % n]; out[i] = a;",
        ("adj_w_sum[j] = dot(q[(i + j) % n], adj_a);",),
    ),
    "arrays of vectors": (
        "float3 h[2] = {p[i], q[i]}; for (int j = 0; j < 4; ++j) h[j % 2] += w[i] * h[(j + 1) % 2];"
        " out[i] = h[0] + h[1];",
        ("adj_h[(j + 1) % 2] += s * adj_b;", "adj_q[i] += adj_h[1];"),
    ),
}
"""Bodies, and lines of their adjoints."""

APART: dict[str, tuple[str, str]] = {
    "a component from the one before": (
        "float3 a = p[i]; a.x = w[i] * a.y; a.y = w[i] * a.z; a.z = w[i] * a.x; out[i] = a + q[i];",
        "adj_p[i] +=",
    ),
    "components exchanged": (
        "float3 a; a.x = q[i].y; a.y = q[i].x; a.z = q[i].z; out[i] = a + p[i];",
        "adj_q[i] += adj_a",
    ),
    "other factors": (
        "float3 a; a.x = w[i] * q[i].x; a.y = s[0] * q[i].y; a.z = w[i] * q[i].z; out[i] = a + p[i];",
        "adj_q[i] += w[i] * ",
    ),
    "two components": (
        "float3 a = p[i]; a.x *= w[i]; a.y *= w[i]; out[i] = a + q[i];",
        "adj_p[i] += w[i] * ",
    ),
    "opposite signs": (
        "float3 a; a.x = w[i] * q[i].x; a.y = -w[i] * q[i].y; a.z = w[i] * q[i].z; out[i] = a + p[i];",
        "adj_q[i] += w[i] * ",
    ),
    "half a cross product": (
        "float3 a; a.x = p[i].y * q[i].z; a.y = p[i].z * q[i].x; a.z = p[i].x * q[i].y; out[i] = a + p[i];",
        "cross",
    ),
    "a cross product with a sign changed": (
        "float3 a; a.x = p[i].y * q[i].z - p[i].z * q[i].y; a.y = p[i].z * q[i].x + p[i].x * q[i].z;"
        " a.z = p[i].x * q[i].y - p[i].y * q[i].x; out[i] = a + p[i];",
        "cross",
    ),
    "a product of all components": (
        "float3 a; a.x = p[i].x * q[i].x; a.y = p[i].y * q[i].y; a.z = p[i].z * q[i].z; out[i] = a + p[i];",
        "adj_p[i] += q[i] *",
    ),
    "two variables of one name": (
        "float3 a = p[i]; int at = idx[i]; for (int j = 0; j < 2; ++j)"
        " a += 0.5f * (q[i] - p[at]) - ((q[i] - p[i]) - p[i]); out[i] = a;",
        "adj_p_sum.x",
    ),
    "scaled by a component of its own": (
        "float3 a = p[i]; a.x = a.x * q[i].x; a.y = a.x * q[i].y; a.z = a.x * q[i].z; s[i] = dot(a, a);",
        "a = a.x * ",
    ),
    "scaled by a component of its own, which comes last": (
        "float3 a = p[i]; for (int j = 0; j < 2; ++j) { a.z = a.x * q[j].z;"
        " a.y = a.x * q[j].y; a.x = a.x * q[j].x; }"
        " s[i] = dot(a, a);",
        "a = a.x * ",
    ),
    "a component that is read before it is set": (
        "float3 a = p[i]; a.x = w[i] * q[i].x; float g = a.y * a.y; a.y = w[i] * q[i].y; a.z = w[i] * q[i].z;"
        " out[i] = g * a; s[i] = dot(a, a);",
        "a = a.x * ",
    ),
    "opposite signs at once": (
        "out[i] = make_float3(w[i] * p[i].x, -w[i] * p[i].y, w[i] * p[i].z); s[i] = dot(p[i], q[i]);",
        "dot(p[i], g_out)",
    ),
    "other factors at once": (
        "float3 a = make_float3(w[i] * q[i].x, w[0] * q[i].y, w[i] * q[i].z); s[i] = dot(a, a);",
        "a = w[i] * q[i]",
    ),
    "a cross product with a factor changed": (
        "float3 a = make_float3(p[i].y * q[i].z - p[i].z * q[i].z, p[i].z * q[i].x - p[i].x * q[i].x,"
        " p[i].x * q[i].y - p[i].y * q[i].y); s[i] = dot(a, a);",
        "cross(p[i], q[i])",
    ),
    "an index that the statements change": (
        "float3 h[2] = {q[i], q[i]}; h[h[0].x < 1.0f].x = 3.0f * p[i].x; h[h[0].x < 1.0f].y = 3.0f * p[i].y;"
        " h[h[0].x < 1.0f].z = 3.0f * p[i].z; out[i] = h[0].y * h[1] + p[i];",
        "] = 3.0f * p[i];",
    ),
    "the names of its own functions": (
        "float dot = p[i].x, cross = q[i].x, atomic_add = dot * cross; add_to(&out[idx[i]], p[idx[i]]);"
        " add_to(&out[i], atomic_add * q[idx[i]] + p[i]); s[i] = cross * p[i].y * q[i].y;",
        "atomic_add(",
    ),
    "an array's numbers beside its fields": (
        "out[i] = w[i] * p[i]; ((float *)out)[3 * i + 1] = q[i].x * q[i].y; s[i] = dot(p[i], q[i]);",
        "adj_p[i] += w[i] *",
    ),
    "a factor that changes between them": (
        "float3 a = p[i]; float f = w[i]; a.x *= f; f += a.x; a.y *= f; f += a.y; a.z *= f;"
        " out[i] = a + q[i]; s[i] = f;",
        "adj_f += dot",
    ),
}
"""Bodies whose components have something of their own, and what their adjoints mustn't say."""


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(body: str, mode: Mode = "joint", head: str = HEAD) -> Transformed:
    return gradient_kit.made(head + KERNEL.replace("BODY", body), "out,s", "p,q,bodies,w", mode)


def right(done: Transformed, backend: Backend) -> None:
    gradient_kit.right(done, CASE, backend)


def kernel_of(text: str) -> str:
    """The adjoint kernel, without the functions before it."""
    return text[text.rindex("__global__") :]


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", WHOLE)
def test_what_is_done_to_each_component_is_one_operation(name: str, mode: Mode, backend: Backend) -> None:
    body, lines = WHOLE[name]
    done = made(body, mode)
    for line in lines:
        assert line in done.text, done.text
    right(done, backend)


@pytest.mark.parametrize("name", APART)
def test_components_with_something_of_their_own_stay_apart(name: str, backend: Backend) -> None:
    body, unsaid = APART[name]
    done = made(body)
    assert unsaid not in kernel_of(done.text), done.text
    right(done, backend)
