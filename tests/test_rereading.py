"""`transform` parses its output again before writing it: an invalid text is never written."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_kit import FOLDER

from s2sad import emit
from s2sad.cli import main
from s2sad.options import Options
from s2sad.passes import PLAIN, Runner
from s2sad.pipeline import transform
from s2sad.rereading import Unreadable
from s2sad.source import Source
from s2sad.transform.unit import Adjoint

STRUCTS = FOLDER / "structs_of_a_function.cu"
TEMPLATE = """template <class T>
__global__ void square(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}
template __global__ void square<float>(const float *, float *, int);
"""


def spoil(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Replace a text in the emitted output."""
    render = emit.render

    def spoilt(adjoint: Adjoint, skin: emit.Skin = "plain", runner: Runner = PLAIN) -> str:
        text = render(adjoint, skin, runner)
        assert old in text
        return text.replace(old, new)

    monkeypatch.setattr(emit, "render", spoilt)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("struct tile_t {\n    float value[32];\n    float weight;\n};\n", "", "tile_t"),
        ("    __shared__ tile_t adj_tile;\n", "", "adj_tile"),
        ("__shared__ tile_t tile;", "__shared__  tile;", "tile"),
        ("#define N 32\n", "", "N"),
        ("static __device__ float bent(float a)\n{", "static __device__ float bend(float a)\n{", "bent"),
        ("    float tape_state_of_best[3];\n", "", "tape_state_of_best"),
        ("state.of.last = p.b;", "state.of = p.b;", "a struct is expected"),
        ("float adj_bent)", "float adj)", "adj_bent"),
        ("int n)\n{\n    __shared__", "int n)\n{{\n    __shared__", "'}'"),
    ],
)
def test_a_text_that_lacks_something_is_an_internal_error(
    old: str, new: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(monkeypatch, old, new)
    with pytest.raises(Unreadable, match=said) as caught:
        transform(Source(STRUCTS.name, STRUCTS.read_text()), Options())
    assert "stage: rereading the emitted file" in getattr(caught.value, "__notes__", [])


def test_the_forward_kernel_of_the_split_shape_is_read_too(monkeypatch: pytest.MonkeyPatch) -> None:
    text = transform(Source(STRUCTS.name, STRUCTS.read_text()), Options(mode="split")).text
    forward = text[text.index("structs_of_a_function_fwd(") :]
    declared = next(line for line in forward.splitlines() if line.endswith("__shared__ tile_t tile;"))
    head = forward[: forward.index(declared)]  # in this kernel only: K_adj has the line, too
    spoil(monkeypatch, head + declared, head)
    with pytest.raises(Unreadable, match="tile"):
        transform(Source(STRUCTS.name, STRUCTS.read_text()), Options(mode="split"))


def test_a_companion_is_read_behind_its_primal(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("k.cu", "#define SCALE 2.0f\n" + TEMPLATE.split("\n", 1)[1].split("template", 1)[0])
    source = Source("k.cu", source.text.replace("T *", "float *").replace("x[i] * x[i]", "SCALE * x[i]"))
    asked = Options(companion=True)
    assert "#define" not in transform(source, asked).text
    spoil(monkeypatch, "SCALE", "SCALED")
    with pytest.raises(Unreadable, match="SCALED"):
        transform(source, asked)


def test_each_instance_of_a_template_that_is_kept_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Options(keep_template=True, template=(("T", "float"), ("T", "double")))
    assert "template <class T>" in transform(Source("k.cu", TEMPLATE), asked).text
    kept = emit.kept
    monkeypatch.setattr(emit, "kept", lambda *args: kept(*args).replace("adj_x[i] +=", "adj_z[i] +="))
    with pytest.raises(Unreadable, match="adj_z"):
        transform(Source("k.cu", TEMPLATE), asked)


def test_nothing_is_written_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(monkeypatch, "    __shared__ tile_t adj_tile;\n", "")
    out = tmp_path / "adj.cu"
    with pytest.raises(SystemExit) as left:
        main(["transform", str(STRUCTS), "-o", str(out)])
    assert left.value.code not in (0, 1, 2, 3, 4)
    assert not out.exists()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "internal error" in captured.err
    assert "adj_tile" in captured.err
