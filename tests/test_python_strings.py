"""Kernels inside the strings of Python scripts: tests/scripts/NAME.py, with its case and its adjoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Golden
from hypothesis import given
from hypothesis import strategies as st

from s2sad import api, bind, files, pipeline, python_strings
from s2sad.cli import main
from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.python_strings import Texts
from s2sad.source import Source

FOLDER = Path(__file__).parent / "scripts"
SCRIPTS = {"raw_kernel": "", "lines_in_quotes": "", "load_inline": "gated_kernel"}
K = 'extern "C" __global__ void k(const float *x, float *y) { y[0] = x[0] * x[0]; }'


def texts(path: Path, script: str) -> Source:
    path.write_text(script, encoding="utf-8")
    return files.read(str(path))


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "script.py"


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, Any]:
    with pytest.raises(SystemExit) as left:
        main([*words, "--json"])
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, json.loads(said.err)


def refused(path: Path, text: str, kernel: str = "") -> list[str]:
    """Return the codes and places of what is wrong with a script."""
    with pytest.raises(Rejected) as caught:
        pipeline.transform(texts(path, text), Options(kernel=kernel))
    found = (d for d in caught.value.diagnostics if d.severity == "error")
    return [f"{d.code.slug} {d.span.line}:{d.span.column} {d.span.text}" for d in found if d.span]


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_adjoint_of_a_kernel_in_a_script(
    name: str, golden: Golden, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FOLDER)
    words = ["--kernel", SCRIPTS[name]] if SCRIPTS[name] else []
    status, text, _ = ran(capsys, "transform", f"{name}.py", *words)
    assert status == 0
    golden(FOLDER / f"{name}_adj.cu", text)
    assert f"//     s2sad transform {name}.py " in text
    assert ran(capsys, "transform", f"{name}.py", "--check", "-o", f"{name}_adj.cu")[0] == 0
    assert api.check(f"{name}.py", f"{name}_adj.cu").ok


def test_every_script_is_checked_with_the_folder(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, said = ran(capsys, "check", "--each", str(FOLDER))
    assert status == 0
    assert [Path(one["file"]).stem for one in said["checks"]] == sorted(SCRIPTS)
    assert all(one["adjoint"].endswith("_adj.cu") for one in said["checks"])


def test_only_scripts_with_kernels_have_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "setup.py").write_text("import setuptools\n")
    (tmp_path / "setup.toml").write_text("")
    assert ran(capsys, "check", "--each", str(tmp_path))[2]["checks"] == []


# ---- places ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "literal",
    [
        "r'''\n{}'''",
        '"""{}"""',
        '"\\t{}\\n"',
        "'\\x20\\u00e9\\N{BULLET}' \"{}\"",
        '"""\\\n{}"""',
        '("// é " "\\n"\n     "{}"  # a comment\n    "\\n")',
        '"\\q\\\\{}"',
        "'''// \\'quoted\\' \\101\n''' r'{}'",
        'u"{}"',
        "helpers + '{}'",
        "'\\n'.join([helpers, '{}'])",
    ],
)
def test_a_place_is_one_in_the_script(literal: str, script: Path) -> None:
    kernel = "__global__ void k(float *x) { x[0] = wrong(x[0]); }"
    text = "# -*- a comment -*-\né = 'ü'; helpers = '// one\\n'; code = "
    text += literal.replace("{}", kernel) + "\n"
    found = texts(script, text)
    at = found.text.index("wrong")
    line, column = found.position(at)
    assert text.split("\n")[line - 1][column - 1 :].startswith("wrong(x[0])")
    assert found.line(line) == text.split("\n")[line - 1]


@given(st.text(alphabet="ab\\\n\t'\"{}é\x07nx01N", max_size=30), st.sampled_from(["'", '"', "'''", '"""']))
def test_whatever_is_written_is_read_as_python_reads_it(text: str, quote: str) -> None:
    code = f"{text}\n__global__ void k() {{ }}"
    escaped = code.replace("\\", "\\\\").replace(quote[0], f"\\{quote[0]}")
    literal = repr(code) if len(quote) == 1 else f"{quote}{escaped}{quote}"
    found = python_strings.texts(Source("script.py", f"é = 1; code = {literal}\n"))
    assert found.text == code
    places = [found.inside.offset(i) for i in range(len(code) + 1)] if found.inside else []
    assert places == sorted(set(places))


def test_an_error_is_shown_under_the_line_of_the_script(script: Path) -> None:
    text = (
        "import cupy\ncode = ('__global__ void k(float *x)\\n{\\n'\n        '    x[0] = wrong(x[0]);\\n}')\n"
    )
    assert refused(script, text) == ["unknown-function 3:21 wrong"]


def test_the_lines_of_a_check_are_those_of_the_script() -> None:
    found = api.check(FOLDER / "raw_kernel.py", args=None)
    assert found.ok
    listed = pipeline.kernels(files.read(str(FOLDER / "load_inline.py")), Options())
    assert [(one.name, one.line) for one in listed] == [("gated_kernel", 18), ("halved_kernel", 26)]


# ---- which text ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kernels"),
    [
        (f"'''{K}'''  # a statement, as a docstring is\n", []),
        (f"code = '''{K}'''\n", ["k"]),
        (f"code = '''{K}'''\ncp.RawKernel(code, 'k')\nprint(code)\n", ["k"]),
        (f"a = '__device__ int f();'\nb = a + '''{K}'''\ncp.RawKernel(b, 'k')\n", ["k"]),
        (f"class A:\n    code = '''{K}'''\n    def run(self):\n        SourceModule(self.code)\n", ["k"]),
        (f"def code():\n    return '''{K}'''\nSourceModule(textwrap.dedent(code()))\n", ["k"]),
        (f"TEXTS = {{'one': '''{K}''', 'two': '''{K.replace('k(', 'm(')}'''}}\n", ["k", "m"]),
        (f"A = '''{K}'''\nB = '''{K.replace('k(', 'm(')}'''\nload_inline('n', '', [A, B])\n", ["k", "m"]),
        ("raise ValueError('no __global__ function in ' + name)\n" + f"code = '''{K}'''\n", ["k"]),
        (f"A = '''{K}'''\nS = [A, '// more']\nload_inline('n', '', cuda_sources=S)\n", ["k"]),
    ],
)
def test_the_kernels_of_a_script(text: str, kernels: list[str], script: Path) -> None:
    if not kernels:
        assert refused(script, text)[0].startswith("no-kernel 1:1")
        return
    found = pipeline.kernels(texts(script, text), Options())
    assert [one.name for one in found] == kernels
    assert all(one.options for one in found)


def test_what_is_compiled_together_is_one_text(script: Path) -> None:
    text = f"A = '''{K}'''\nB = '''{K.replace('k(', 'm(')}'''\nload_inline('n', '', [A, B])\n"
    assert not isinstance(texts(script, text), Texts)
    text = f"A = '''{K}'''\nB = '''{K.replace('k(', 'm(')}'''\nRawKernel(A)\nRawKernel(B)\n"
    assert isinstance(texts(script, text), Texts)


TWO = f"a = RawKernel('''{K}''', 'k')\nb = RawKernel('''\n{K.replace('* x[0]', '+ x[0]')}''', 'k')\n"


def test_one_of_several_texts_is_chosen_by_its_kernel(script: Path) -> None:
    other = f"a = RawKernel('''{K}''', 'k')\nb = RawKernel('''{K.replace('k(', 'm(')}''', 'm')\n"
    assert refused(script, other)[0].startswith("several-kernels 1:")
    assert refused(script, other, "n")[0].startswith("no-such-kernel")
    done = pipeline.transform(texts(script, other), Options(kernel="m"))
    assert "--kernel m" in done.text
    assert refused(script, TWO)[0].startswith("several-kernels 1:")
    assert refused(script, TWO, "k")[0].startswith("overloaded-kernel 1:")
    choices = [one.choice for one in pipeline.kernels(texts(script, TWO), Options())]
    assert choices == ["k@1", "k@3"]
    sums = pipeline.transform(texts(script, TWO), Options(kernel="k@3"))
    assert "2.0f * adj_y[0]" in sums.text
    assert "--kernel k@3" in sums.text


def test_a_text_that_can_t_be_read_hinders_no_other(script: Path) -> None:
    text = f"a = '__global__ void broken( {{ #if }} \"'\nb = '''{K}'''\n"
    assert pipeline.transform(texts(script, text), Options(kernel="k")).program.kernel.name == "k"


# ---- texts that aren't constant ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("RawKernel('''{k}''' % 3, 'k')", "1:11"),
        ("RawKernel('''{k}'''.format(n=3), 'k')", "1:11"),
        ("RawKernel('''{k}'''.replace('float', 'double'), 'k')", "1:11"),
        ("code = '''{k}'''\ncode = code.replace('x', 'z')\nRawKernel(code, 'k')", "2:8"),
        ("code = '''{k}'''\ndef make(text):\n    return RawKernel(text % n, 'k')\nmake(code)", "3:22"),
        (
            "code = '''{k}'''\ndef make(*, text):\n    return RawKernel(text % n, 'k')\nmake(text=code)",
            "3:22",
        ),
        ("class A:\n    code = '''{k}'''\n    def run(self):\n        return self.code.format(n=3)", "4:16"),
        ("def code():\n    return '''{k}'''\nRawKernel(code().replace('x', 'z'))", "3:11"),
        ("for code in ('''{k}''', ''):\n    RawKernel(code.upper(), 'k')", "2:15"),
        ("RawKernel([c % 2 for c in ['''{k}''']][0], 'k')", "1:12"),
        ("RawKernel(f'''{kk}{{n}}''', 'k')", "1:11"),
        ("RawKernel(f'''{kk}''', 'k')", "1:11"),
        ("code = '''{k}'''\nRawKernel(f'{{code}}', 'k')", "2:11"),
        ("RawKernel('#define N ' + str(n) + '''{k}''', 'k')", "1:26"),
        ("a = 'x'\nif n:\n    a = 'z'\nRawKernel(a + '''{k}''', 'k')", "4:11"),
        ("code = ''\ncode += '''{k}'''\nRawKernel(code, 'k')", "2:1"),
        ("code = '''{k}'''\ncode += 'more'\nRawKernel(code, 'k')", "2:1"),
        ("RawKernel(string.Template('''{k}''').substitute(n=3), 'k')", "1:11"),
        ("RawKernel(re.sub('x', 'z', '''{k}'''), 'k')", "1:11"),
        ("A = '''{k}'''\nload_inline('n', '', cuda_sources=[A, header()])", "2:39"),
        ("RawKernel('\\n'.join([header(), '''{k}''']), 'k')", "1:22"),
        ("code = '''{k}'''\nRawKernel(code[1:], 'k')", "2:11"),
        ("import other\nRawKernel(other.HEAD + '''{k}''', 'k')\nHEAD = ''", "2:11"),
        ("load_inline('n', '', cuda_sources=['// a'] + ['''{k}'''])", "1:35"),
        ("code = (lambda: '''{k}''')() % 2", "1:8"),
        ("a = '''{k}'''\nb = a + b\na = b + ''\n", "2:5"),
    ],
)
def test_a_text_that_the_script_changes_is_refused(text: str, where: str, script: Path) -> None:
    kernel = K.replace("{", "{{").replace("}", "}}")
    said = refused(script, text.format(k=K, kk=kernel) + "\n")
    assert [one.split()[0] for one in said] == ["python-text"]
    assert said[0].split()[1] == where


def test_a_text_that_isn_t_constant_counts_among_several(script: Path) -> None:
    text = f"a = RawKernel('''{K}''', 'k')\nb = RawKernel('''{K.replace('k(', 'm(')}''' % 3, 'm')\n"
    assert refused(script, text)[0].startswith("several-kernels 1:")
    assert refused(script, text, "m")[0].startswith("python-text 2:15")
    assert pipeline.transform(texts(script, text), Options(kernel="k")).program.kernel.name == "k"
    listed = pipeline.kernels(texts(script, text), Options())
    assert [(one.name, one.line, one.options is None) for one in listed] == [("k", 1, False), ("m", 2, True)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(:\n", "python-syntax 1:7 :"),
        ("code = '''\n", "python-syntax 1:8 '"),
        ("x = 1\n", "no-kernel 1:1 "),
        ("", "no-kernel 1:1 "),
    ],
)
def test_what_is_no_script_with_a_kernel_is_refused(text: str, said: str, script: Path) -> None:
    assert refused(script, text) == [said]


# ---- what belongs to a text ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "macros"),
    [
        ("RawKernel(code, 'k', options=('-DN=3', '-std=c++17'))", {"N": "3"}),
        ("RawKernel(code, 'k', ('-DN=3',))", {"N": "3"}),
        ("SourceModule(code, options=['-D', f'N={n}', f'-DL={n}', '-DM=1'])", {"M": "1"}),
        ("SourceModule(code, options=['-D', 'N=3', '-DM'])", {"N": "3", "M": "1"}),
        ("load_inline('n', '', cuda_sources=[code], extra_cuda_cflags=FLAGS)", {"N": "4"}),
        ("RawKernel(code, 'k', options=('-DN=3',))\nRawKernel(code, 'k', options=('-DN=4',))", {}),
    ],
)
def test_macros_are_those_that_the_script_passes(call: str, macros: dict[str, str], script: Path) -> None:
    found = texts(script, f"FLAGS = ['-O3', '-DN=4']\ncode = '''{K}'''\n{call}\n")
    options = pipeline.transform(found, Options()).options
    assert dict(options.defines) == macros


def test_headers_are_beside_the_script(script: Path) -> None:
    (script.parent / "shared.h").write_text("__device__ float f(float v) { return v * v; }\n")
    text = '"#include \\"shared.h\\"\\n__global__ void k(float *y, float *x) { y[0] = f(x[0]); }"'
    done = pipeline.transform(texts(script, f"code = {text}\n"), Options(of=("y",), wrt=("x",)))
    assert "f_adj(x[0], adj_y[0])" in done.text


def test_a_companion_can_t_include_a_script(script: Path) -> None:
    with pytest.raises(Rejected) as caught:
        pipeline.transform(texts(script, f"code = '''{K}'''\n"), Options(companion=True))
    assert [d.code.slug for d in caught.value.diagnostics] == ["usage"]


def test_the_backward_kernel_may_be_in_another_string(script: Path) -> None:
    back = "__global__ void k_back(const float *x, const float *grad_y, float *grad_x) "
    back += "{ grad_x[0] += 2 * x[0] * grad_y[0]; }"
    found = texts(script, f"a = RawKernel('''{K}''', 'k')\nb = RawKernel('''{back}''', 'k_back')\n")
    assert isinstance(found, Texts)
    case = script.with_suffix(".toml")
    case.write_text(
        'kernel = "k"\nof = ["y"]\nwrt = ["x"]\n[launch]\ngrid = 1\nblock = 1\n[args]\n'
        'x = { shape = 1, fill = "normal" }\ny = { shape = 1, fill = "zeros" }\n'
    )
    assert api.audit(script, script).ok


def test_a_chain_launches_kernels_of_a_script(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts(script, TWO)
    chain = script.with_name("chain.toml")
    chain.write_text(
        'of = ["y"]\nwrt = ["x"]\n[args]\nx = { shape = 1, fill = "normal" }\n'
        'y = { shape = 1, fill = "zeros" }\n'
        '[[step]]\nlaunch = "script.py"\nkernel = "k@1"\ngrid = 1\nblock = 1\n'
    )
    assert ran(capsys, "chain", str(chain), "--check")[0] == 0
    assert ran(capsys, "chain", str(script))[2]["diagnostics"][0]["code"] == "usage"


LAUNCHED = """
template <typename T> __global__ void k(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}
void run(torch::Tensor x)
{
    AT_DISPATCH(x.scalar_type(), "k", ([&] { k<scalar_t><<<1, 2>>>(x.data_ptr<scalar_t>(), y, n); }));
}
"""


@pytest.mark.parametrize(
    ("macro", "types"),
    [
        ("AT_DISPATCH_FLOATING_TYPES_AND_HALF", ["float", "double", "half"]),
        ("AT_DISPATCH_FLOATING_TYPES", ["float", "double"]),
        ("OTHER_MACRO", ["float", "double", "half"]),
    ],
)
def test_a_kernel_of_a_script_is_bound_for_its_types(macro: str, types: list[str], script: Path) -> None:
    text = LAUNCHED.replace("AT_DISPATCH", macro)
    made, remarks = bind.read(texts(script, f"code = '''{text}'''\n"), Options())
    assert [one.suffix for one in made.instances] == types
    assert (made.place, made.file) == ("script.py:2", "script.py")
    assert "types-taken" in [remark.code.slug for remark in remarks]
