"""What stands for GLM's headers computes what GLM does, and is laid out as its types are."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from s2sad.diagnostics import Rejected

KERNEL = """
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>
__global__ void k(const float *x, const glm::mat3 *m, const glm::quat *q, glm::mat3 *turns, glm::vec3 *v,
                  glm::vec2 *w, glm::quat *p)
{
    glm::vec3 a = glm::make_vec3(x), b(x[3], x[4], x[5]);
    turns[0] = m[0] * m[1];
    turns[1] = glm::transpose(m[0]);
    turns[2] = glm::inverse(m[1]);
    turns[3] = glm::mat3_cast(q[0]);
    turns[4] = glm::outerProduct(a, b);
    v[0] = m[0] * a;
    v[1] = a * m[0];
    v[2] = glm::cross(a, b);
    v[3] = q[0] * a;
    v[4] = glm::normalize(a) + glm::vec3(m[0][1][2], glm::dot(a, b), glm::determinant(m[1]));
    v[5] = glm::mix(a, b, 0.25f) * 2.0f - 1.0f / b;
    w[0] = glm::mat3x2(x[0], x[1], x[2], x[3], x[4], x[5]) * b;
    p[0] = q[0] * q[1];
    p[1] = glm::slerp(q[0], q[1], 0.25f);
    p[2] = glm::quat_cast(glm::mat3_cast(q[1]));
}
"""


def hamilton(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product of quaternions x, y, z, w."""
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.array([*vector, a[3] * b[3] - a[:3] @ b[:3]])


def rotation(q: np.ndarray) -> np.ndarray:
    turned = [hamilton(hamilton(q, np.array([*e, 0.0])), q * [-1, -1, -1, 1])[:3] for e in np.eye(3)]
    return np.array(turned).T


def test_the_functions_are_those_of_the_mathematics() -> None:
    random = np.random.default_rng(3)
    x = random.normal(size=6).astype(np.float32)
    m = random.normal(size=(2, 9)).astype(np.float32)
    q = random.normal(size=(2, 4))
    q[1] *= np.sign(q[0] @ q[1])
    q = (q / np.linalg.norm(q, axis=1, keepdims=True)).astype(np.float32)
    given = {"x": x, "m": m, "q": q}
    given |= {name: np.zeros(shape, np.float32) for name, shape in _OUT.items()}
    done = s2sad.gradient(
        KERNEL, name="k.cu", of=["v"], wrt=["x"], grid=1, block=1, args=given, backend="cpu"
    )
    first, second = (one.reshape(3, 3).T for one in m.astype(float))  # column by column
    a, b = x[:3].astype(float), x[3:].astype(float)
    turns = np.asarray(done.outputs["turns"]).reshape(5, 3, 3).transpose(0, 2, 1)
    expected = [first @ second, first.T, np.linalg.inv(second), rotation(q[0].astype(float)), np.outer(a, b)]
    np.testing.assert_allclose(turns, expected, rtol=2e-4, atol=2e-5)
    v = np.asarray(done.outputs["v"]).reshape(6, 3)
    more = a / np.linalg.norm(a) + [first[2, 1], a @ b, np.linalg.det(second)]
    rows = [first @ a, a @ first, np.cross(a, b), rotation(q[0].astype(float)) @ a, more]
    np.testing.assert_allclose(v, [*rows, (0.75 * a + 0.25 * b) * 2 - 1 / b], rtol=2e-4, atol=2e-5)
    np.testing.assert_allclose(np.ravel(done.outputs["w"]), x.reshape(3, 2).T @ b, rtol=2e-4, atol=2e-5)
    p = np.asarray(done.outputs["p"]).reshape(3, 4)
    angle = np.arccos(q[0] @ q[1])
    between = (np.sin(0.75 * angle) * q[0] + np.sin(0.25 * angle) * q[1]) / np.sin(angle)
    np.testing.assert_allclose(p[:2], [hamilton(*q.astype(float)), between], rtol=2e-4, atol=2e-5)
    np.testing.assert_allclose(p[2] * np.sign(p[2] @ q[1]), q[1], rtol=2e-4, atol=2e-5)


_OUT = {"turns": (5, 9), "v": (6, 3), "w": (1, 2), "p": (3, 4)}


def test_what_is_emitted_has_the_types_that_it_uses_under_the_names_of_the_file() -> None:
    text = """#include <glm/glm.hpp>
    using Point = glm::vec<3, float>;
    __global__ void k(const Point *x, float *y) { y[threadIdx.x] = glm::dot(x[threadIdx.x], Point(1.f)); }"""
    source = s2sad.transform(text, name="k.cu", of=["y"], wrt=["x"]).source
    assert "struct Point {\n    float x;\n    float y;\n    float z;\n};" in source
    assert source.count("struct") == 1
    assert "glm" not in source.replace("glm::dot(x", "")


def test_a_function_of_glm_that_is_not_known_is_refused_by_its_name() -> None:
    text = """#include <glm/glm.hpp>
    __global__ void k(const float *x, float *y) { y[0] = glm::perlin(glm::vec2(x[0], x[1])); }"""
    with pytest.raises(Rejected, match="perlin"):
        s2sad.transform(text, name="k.cu", of=["y"], wrt=["x"])
