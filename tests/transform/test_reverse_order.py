"""The components of a vector keep the author's order in the reverse sweep, unless one depends on another."""

from __future__ import annotations

import re

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source


def quoted(body: str) -> list[str]:
    """The lines that the reverse sweep quotes, in order."""
    source = f'extern "C" __global__ void k(const float3 *x, float3 *y, float a) {{\n{body}\n}}'
    done = transform(Source("k.cu", source), Options(of=("y",), wrt=("x", "a")))
    text = done.text[done.text.index("__global__ void k_adj") :]
    return re.findall(r"^ *// (.* = .*)", text, re.M)


SET = "int i = threadIdx.x;\nfloat3 v;\nv.x = x[i].x * a;\nv.y = {y};\nv.z = x[i].z * a;\n"
STORED = "y[i].x = v.x * v.x;\ny[i].y = v.y * v.y;\ny[i].z = v.z * v.z;"


def test_components_that_are_set_in_turn_keep_their_order() -> None:
    assert quoted(SET.format(y="x[i].y * a") + STORED) == [
        *("y[i].x = v.x * v.x", "y[i].y = v.y * v.y", "y[i].z = v.z * v.z"),
        *("v.x = x[i].x * a", "v.y = x[i].y * a", "v.z = x[i].z * a"),
    ]


def test_a_component_that_another_is_made_of_is_reversed_after_it() -> None:
    assert quoted(SET.format(y="v.x * a") + STORED)[3:] == [
        *("v.y = v.x * a", "v.z = x[i].z * a"),
        "v.x = x[i].x * a",
    ]


def test_a_component_that_is_set_twice_is_reversed_twice() -> None:
    again = "v.x = x[i].x * a;\nv.x = v.x * a;\nv.y = x[i].y * a;\nv.z = 1.0f;\n"
    assert quoted("int i = threadIdx.x;\nfloat3 v;\n" + again + STORED)[-3:] == [
        *("v.x = v.x * a", "v.y = x[i].y * a"),
        "v.x = x[i].x * a",
    ]


def test_a_component_that_is_read_before_it_is_set_is_reversed_before_its_reader() -> None:
    swap = "v.y = x[i].y * a;\nv.z = 1.0f;\nv.x = v.y * a;\nv.y = x[i].x * a;\n"
    assert quoted("int i = threadIdx.x;\nfloat3 v;\n" + swap + STORED)[-3:] == [
        *("v.y = x[i].x * a", "v.x = v.y * a"),
        "v.y = x[i].y * a",
    ]


def test_a_copy_of_a_whole_vector_is_reversed_in_one_piece() -> None:
    assert quoted("int i = threadIdx.x;\ny[i] = x[i];\ny[i].x = y[i].x * a;") == [
        "y[i].x = y[i].x * a",
        "y[i] = x[i]",
    ]
