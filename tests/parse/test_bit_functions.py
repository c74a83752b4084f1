"""The compiler's functions of bits: of constants they are numbers, else what device code calls."""

from __future__ import annotations

import pytest
from lowering_kit import lowered, refusals


@pytest.mark.parametrize(
    ("call", "number"),
    [
        ("ctz(48u)", 4),
        ("ctzll(1ull << 40)", 40),
        ("clz(1)", 31),
        ("clzl(1ul)", 63),
        ("ffs(0)", 0),
        ("ffs(-2)", 2),
        ("ffsl(8)", 4),
        ("popcount(-1)", 32),
        ("popcountll(-1ll)", 64),
        ("parity(7u)", 1),
    ],
)
def test_of_a_constant_there_is_the_number_even_as_an_extent(call: str, number: int) -> None:
    assert f"m[0] = {number};" in lowered(f"m[0] = __builtin_{call};")
    assert f"t[{number + 1}];" in lowered(f"constexpr int k = __builtin_{call}; float t[k + 1];")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("ctz(u)", "__ffs(<int>u) - 1"),
        ("ctz(0)", "__ffs(0) - 1"),
        ("clz(u)", "__clz(<int>u)"),
        ("clzll(i)", "__clzll(<long long>i)"),
        ("popcount(u)", "__popc(u)"),
        ("parity(u)", "__popc(u) & 1"),
        ("ffs(i)", "__ffs(i)"),
    ],
)
def test_of_another_value_there_is_the_function_of_device_code(call: str, expected: str) -> None:
    assert f"m[0] = {expected};" in lowered(f"m[0] = __builtin_{call};")


def test_they_take_one_argument() -> None:
    assert [slug for slug, *_ in refusals("m[0] = __builtin_ctz(i, j);")] == ["type-error"]
