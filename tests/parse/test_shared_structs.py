"""Shared memory cut into structs: which array of numbers they are in, and where two types would meet."""

from __future__ import annotations

import pytest
from lowering_kit import lowered, refusals

BEFORE = "struct V { float x, y, z; };"
BYTES = "extern __shared__ char s[];"
INTS = "extern __shared__ int s[];"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{BYTES} V *v = reinterpret_cast<V *>(s); v[i].y = a;", "s[<long>i * 3 + 1] = a;"),
        (f"{BYTES} V *v = (V *)(s + n * sizeof(float)); v[i].x = a;", "s[<long>n + <long>i * 3] = a;"),
        (
            f"{INTS} V *v = (V *)&s[n]; s[i] = 1; v[i] = {{a, b}};",
            "s_float[<long>n + (<long>i * 3 + 2)] = 0.0f;",
        ),
        (f"{BYTES} V *v = (V *)s; int *q = (int *)(v + n); v[i].x = a; q[i] = j;", "q[i] = j;"),
        (f"{BYTES} int *q = (int *)s; V *v = (V *)&q[n]; q[i] = j; v->z = a;", "s_float[n + 2] = a;"),
    ],
)
def test_structs_are_in_the_array_of_their_numbers(body: str, expected: str) -> None:
    assert expected in lowered(body, before=BEFORE)


@pytest.mark.parametrize(
    "body",
    [
        f"{INTS} V *v = (V *)s; s[i] = 1; v[i].x = a;",  # both begin at one place
        f"{INTS} V *v = (V *)&s[3 * threadIdx.x]; s[i] = 1; v[i].x = a;",  # at one of each thread's
        f"{INTS} V *v = (V *)&s[n]; s[i] = 1; a = v[i].x;",  # nothing is written as the numbers
        f"{BYTES} V *v = (V *)(s + n); v[i].x = a;",  # no whole number of them
    ],
)
def test_where_types_may_meet_it_is_refused_once(body: str) -> None:
    found = refusals(body, before=BEFORE)
    assert [slug for slug, *_ in found] in (["bit-reinterpretation"], ["dynamic-shared"])


def test_a_brace_list_for_what_is_refused_is_no_error_of_its_own() -> None:
    found = refusals(f"{INTS} V *v = (V *)s; s[i] = 1; v[i] = {{a, b, a}};", before=BEFORE)
    assert [slug for slug, *_ in found] == ["bit-reinterpretation"]
