"""`--keep-template`: the adjoint of a template is one text for float and double, and stays a template."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_kit import file, text
from nvcc_kit import NVCC, nvcc

from s2sad.cli import main
from s2sad.emit import Differs, kept
from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.source import Source

BOTH = (("T", "float"), ("T", "double"))


@pytest.fixture(scope="module")
def done() -> Transformed:
    """Transform the golden template, instantiated for both types, with a tape."""
    return transform(Source("settle.cu", text("kept_template")), Options(template=BOTH))


@pytest.mark.parametrize(
    ("of_float", "of_double", "both"),
    [
        ("float f(float v) { return 2.0f * v; }", "double f(double v) { return 2.0 * v; }", "T(2.0) * v"),
        ("float f(float v) { return expf(v); }", "double f(double v) { return exp(v); }", "exp(v)"),
        ("float f(float v) { return 0.1f; }", "double f(double v) { return 0.1; }", "return T(0.1)"),
        ("float f(float v) { return 1e-3f; }", "double f(double v) { return 1e-3; }", "return T(1e-3)"),
        ("int f(float v) { return 2.0f; }", "int f(double v) { return 2.0f; }", "return 2.0f"),
        ("float f(float v) { return f(v); }", "double f(double v) { return f(v); }", "return f<T>(v)"),
    ],
)
def test_what_differs_by_the_type_becomes_the_parameter(of_float: str, of_double: str, both: str) -> None:
    of_float, of_double = f"static __device__ {of_float}", f"static __device__ {of_double}"
    for base in (of_float, of_double):
        found = kept(of_float, of_double, base, "T")
        assert found.startswith("template <class T>\nstatic __device__ ")
        assert both in found


@pytest.mark.parametrize(
    ("of_float", "of_double"),
    [
        ("float f() { return 2.0f; }", "double f() { return 3.0; }"),
        ("float f() { return g(1); }", "double f() { return h(1); }"),
        ("float f() { return g_float(1); }", "double f() { return g_double(1); }"),
        ("float f() { return x; }", "double f() { return x + y; }"),
        ("float f() { return T; }", "double f() { return T; }"),
        ("struct S { float x; };", "struct S { double x; };"),
        ("float f() { return __expf(x); }", "double f() { return exp(x); }"),
        ("float f() { extern __shared__ float s[]; }", "double f() { extern __shared__ double s[]; }"),
    ],
)
def test_what_differs_otherwise_is_refused(of_float: str, of_double: str) -> None:
    with pytest.raises(Differs):
        kept(of_float, of_double, of_float, "T")


def test_a_struct_that_is_an_instance_becomes_a_template() -> None:
    row = "struct Row_%s_3 { %s e[3]; };\nstatic __device__ void f(Row_%s_3 *r) { r->e[0] = 0; }"
    of_float, of_double = row.replace("%s", "float"), row.replace("%s", "double")
    for base in (of_float, of_double):
        found = kept(of_float, of_double, base, "T")
        assert "template <class T>\nstruct Row_3 { T e[3]; };" in found
        assert "template <class T>\nstatic __device__ void f(Row_3<T> *r)" in found
    taken = "\nstatic __device__ int Row_3() { return 1; }"
    with pytest.raises(Differs, match="already uses the name Row_3"):
        kept(of_float + taken, of_double + taken, of_float + taken, "T")


def test_each_wanted_instance_is_instantiated(done: Transformed) -> None:
    assert "--keep-template --template T=float,T=double\n" in done.text
    assert "no_extern_c=True" in done.text
    assert 'extern "C"' not in done.text
    for real in ("float", "double"):
        assert f"template __global__ void settle_adj<{real}>(const {real} *, {real} *" in done.text
        assert f"template size_t settle_adj_tape_bytes<{real}>(dim3, dim3, {real}, int, int);" in done.text


@pytest.mark.skipif(NVCC is None, reason="NO NVCC: the template wasn't compiled with it")
@pytest.mark.parametrize("mode", ["joint", "split"])
def test_nvcc_compiles_and_links_both_instances(mode: str, tmp_path: Path) -> None:
    options = Options(template=BOTH, mode="split" if mode == "split" else None)
    (tmp_path / "settle_adj.cu").write_text(transform(Source("k.cu", text("kept_template")), options).text)
    (tmp_path / "settle.cu").write_text(text("kept_template") + "int main() { return 0; }\n")
    sources = [str(tmp_path / name) for name in ("settle.cu", "settle_adj.cu")]
    assert nvcc("-o", str(tmp_path / "program"), *sources) == ""


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("", "", 0),
        ("T(2.0) * s * adj_y[i]", "(s + s) * adj_y[i]", 0),
        ("T(2.0) * s * adj_y[i]", "s * adj_y[i]", 1),
        ("* sizeof(T)", "* sizeof(T) / 2", 1),
        ("block_add<T>(adj_a", "adj_a[0] += adj_a_sum; block_add<T>(adj_a", 1),
    ],
)
def test_what_is_on_disk_is_judged_in_each_instance(
    old: str,
    new: str,
    status: int,
    done: Transformed,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert old in done.text
    (tmp_path / "settle.cu").write_text(text("kept_template"))
    (tmp_path / "settle.toml").write_text(file("kept_template").with_suffix(".toml").read_text())
    (tmp_path / "settle_adj.cu").write_text(done.text.replace(old, new) if old else done.text)
    with pytest.raises(SystemExit) as left:
        main(["check", str(tmp_path / "settle.cu"), str(tmp_path / "settle_adj.cu"), "--backend", "cpu"])
    assert left.value.code == status, capsys.readouterr().err


def test_each_instance_has_a_pair_to_run(done: Transformed) -> None:
    pairs = done.pairs(done.text, "settle_adj.cu")
    assert [pair.adjoint.argument("adj_x").type for pair in pairs] == ["float", "double"]
    assert 'extern "C"' in pairs[0].adjoint_text
    assert "__global__ void settle_adj(const double *x" in pairs[1].adjoint_text.replace("\n", " ")
