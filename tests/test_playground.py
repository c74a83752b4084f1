"""The playground without a browser: its files, its server, and the answers that Python gives in it."""

from __future__ import annotations

import http.client
import io
import json
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from s2sad import cli, messages
from s2sad.cli.outcome import Outcome
from s2sad.diagnostics import Rejected
from s2sad.playground import pyodide, site, wheels
from s2sad.playground.answers import answer
from s2sad.playground.pyodide import Pyodide
from s2sad.playground.serving import HOST, Server

ROOT = Path(__file__).parents[1]
SAXPY = ROOT / "examples" / "saxpy.cu"


def asked(path: Path, text: str | None = None, **more: Any) -> dict[str, Any]:
    """Return Python's answer to a question of the page; it is asked in an empty folder."""
    question: dict[str, Any] = {
        "file": path.name,
        "text": path.read_text(encoding="utf-8") if text is None else text,
        "options": {},
        "more": "",
        "beside": {},
        "review": False,
    }
    found = json.loads(answer(json.dumps(question | more)))
    assert isinstance(found, dict)
    return found


def printed(*words: str) -> tuple[int, str, str]:
    """Return what the command line prints."""
    outcome = cli.caught(lambda: cli.app.main(list(words), prog_name="s2sad", standalone_mode=False))
    assert isinstance(outcome, Outcome)
    return outcome.status, outcome.product, messages.page(outcome.diagnostics) + outcome.remarks


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with files named like Pyodide's."""
    folder = tmp_path_factory.mktemp("pyodide")
    for name in pyodide.FILES:
        (folder / name).write_text(name)
    (folder / "package.json").write_text('{"version": "1.2.3"}')
    return folder


# ---- answers ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ({}, ""),
        ({"of": "y", "wrt": "x", "mode": "split"}, ""),
        ({"names": "grad"}, "-D N=4 --skin lesson"),
        ({"of": "nothing"}, ""),
        ({"mode": "sideways"}, ""),
        ({}, "--unknown"),
        ({}, "--bound"),
        ({}, "-D 'N"),
    ],
)
def test_an_answer_has_the_texts_of_the_command_line(options: dict[str, str], more: str) -> None:
    found = asked(SAXPY, options=options, more=more)
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    if "'" in more:
        assert found["status"] == 3
        assert "the further options: no closing quotation" in found["messages"]
        return
    status, text, said = printed("transform", "saxpy.cu", *words, *more.split())
    assert (found["status"], found.get("adjoint", ""), found["messages"]) == (status, text, said)


def test_an_answer_has_places_and_explanations() -> None:
    found = asked(ROOT / "tests" / "errors" / "scatter.cu")
    (place,) = found["places"]
    assert (place["line"], place["column"], place["end_column"]) == (6, 9, 20)
    assert found["codes"]["shared-writer"] == printed("help", "shared-writer")[1]
    assert "adjoint" not in found


def test_the_lines_of_an_answer_are_the_text() -> None:
    found = asked(SAXPY)
    assert "\n".join("".join(text for _, text in runs) for runs in found["runs"]) == found["adjoint"]
    line = found["adjoint"].split("\n").index("        adj_x[i] += a * g_y;")
    assert found["partners"][line] == {"7": "reverse"}
    assert "adj_x[..]" in found["plan"]
    assert "What <code>s2sad explain</code> prints" in found["plan"]


def test_a_text_is_never_markup() -> None:
    text = SAXPY.read_text(encoding="utf-8").replace("a * x[i]", "(a < 1.0f ? a : 2.0f) * x[i]")
    found = asked(SAXPY, text, review=True)
    assert "&lt;" in found["plan"]
    assert "(a < 1" not in found["plan"] + found["review"]


@pytest.mark.parametrize("name", ["", "../x.cu", "-o.cu", "a/b.cu", "kernel", "x.txt"])
def test_a_name_that_is_none_is_wrong_usage(name: str, tmp_path: Path) -> None:
    found = asked(SAXPY, file=name)
    assert found["status"] == 3
    assert list(tmp_path.iterdir()) == []


def test_a_header_beside_a_kernel_stays_in_the_folder(tmp_path: Path) -> None:
    assert asked(SAXPY, beside={"../vec.cuh": ""})["status"] == 3
    assert not (tmp_path.parent / "vec.cuh").exists()
    gallery = ROOT / "examples" / "gallery"
    header = (gallery / "vec.cuh").read_text(encoding="utf-8")
    assert asked(gallery / "nbody.cu", beside={"vec.cuh": header})["status"] == 0
    assert asked(gallery / "nbody.cu")["status"] == 2  # the header of the last question is gone


def test_several_kernels_are_named() -> None:
    text = SAXPY.read_text(encoding="utf-8").replace("// s2sad: ", "// ")
    found = asked(SAXPY, text + text.replace("saxpy(", "other("))
    assert found["kernels"] == ["saxpy", "other"]
    assert found["status"] == 2


def test_too_deep_for_a_browser_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def overflow(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("s2sad.playground.answers.transformed", overflow)
    found = asked(SAXPY, SAXPY.read_text(encoding="utf-8") + "// another")
    assert found["status"] == 2
    assert "isn't too deep: s2sad transform saxpy.cu" in found["messages"]


def test_transforming_needs_no_package_that_isnt_packed() -> None:
    others = "numpy rich pygments platformdirs elftools multiprocessing"
    code = f"""
import json, sys
sys.modules.update(dict.fromkeys('{others}'.split()))  # importing one of them is an error
from s2sad.playground.answers import answer
asked = dict(file='k.cu', text=open({str(SAXPY)!r}).read(), options={{}}, more='', beside={{}}, review=True)
print(json.loads(answer(json.dumps(asked)))['status'])
print(*sorted({{name.partition('.')[0] for name in sys.modules}} - sys.stdlib_module_names))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    status, names = told.stdout.splitlines()
    packed = {"s2sad", "ply", *wheels.NEEDED}
    assert status == "0"
    assert {name for name in names.split() if not name.startswith("_")} - set(others.split()) <= packed


# ---- files -------------------------------------------------------------------


def test_wheels_have_sources_and_templates_and_nothing_compiled() -> None:
    made = wheels.wheels()
    assert made == wheels.wheels.__wrapped__()
    assert [name.split("-")[0] for name in made] == [*wheels.NEEDED, "s2sad"]
    for name, data in made.items():
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
        assert [one for one in names if one.endswith((".so", ".pyc", ".pyd"))] == [], name
        assert any(one.endswith(".dist-info/RECORD") for one in names), name
    own = zipfile.ZipFile(
        io.BytesIO(made[next(name for name in made if name.startswith("s2sad"))])
    ).namelist()
    assert {"s2sad/pipeline.py", "s2sad/rules.toml", "s2sad/errors.toml"} <= set(own)
    assert {"s2sad/templates/file.cu.j2", "s2sad/docs/errors.md"} <= set(own)
    assert not any("examples" in one for one in own)


def test_every_address_of_the_page_is_one_of_its_files(place: Path) -> None:
    found = site.site(pyodide.found(str(place)))
    page = found["index.html"].decode()
    config = json.loads(page.split('id="config">')[1].split("</script>")[0])
    named = [config["worker"], *config["wheels"], *(f"{config['pyodide']}{name}" for name in pyodide.FILES)]
    assert {one.partition("?")[0] for one in named} <= set(found)
    assert "http:" not in page.split("<body")[0]
    assert config["pyodide"] == "pyodide-1.2.3/"
    assert set(config["examples"]) >= {"relax", "saxpy", "nbody"}
    assert set(config["examples"]["icp_residual"]["beside"]) == {"mat3.cuh", "reduce.cuh", "vec.cuh"}


def test_without_a_folder_the_page_names_the_network_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(pyodide.PLACE, raising=False)
    monkeypatch.setattr(pyodide, "cached", lambda: Path("nowhere"))
    page = site.site(pyodide.found(None))["index.html"].decode()
    assert f"Pyodide comes from <code>{pyodide.CDN}</code>" in page
    assert "connect-src &#39;self&#39; https://cdn" in page or "connect-src 'self' https://cdn" in page


def test_a_page_is_built_again_but_never_over_other_files(place: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    names = site.build(Pyodide(place), target)
    assert sorted(names) == sorted(p.relative_to(target).as_posix() for p in target.rglob("*") if p.is_file())
    (target / "wheels" / "s2sad-0.0-py3-none-any.whl").touch()
    before = (target / "index.html").stat().st_ino
    with pytest.raises(Rejected):
        site.build(Pyodide(place), target)
    assert (target / "index.html").stat().st_ino == before
    (target / "wheels" / "s2sad-0.0-py3-none-any.whl").unlink()
    assert site.build(Pyodide(place), target) == names
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("kind", ["file", "link", "folder"])
def test_nothing_of_the_users_is_replaced(kind: str, place: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    if kind == "file":
        target.write_text("mine")
    elif kind == "link":
        (tmp_path / "other").mkdir()
        target.symlink_to(tmp_path / "other")
    else:
        target.mkdir()
        (target / "mine").touch()
    with pytest.raises(Rejected) as refused:
        site.build(Pyodide(place), target)
    assert refused.value.diagnostics[0].code.slug == "would-overwrite"


# ---- the command ---------------------------------------------------------------


def test_pyodide_is_found_as_npm_unpacks_it(place: Path, tmp_path: Path) -> None:
    place.rename(tmp_path / "package")
    assert pyodide.found(str(tmp_path)) == Pyodide(tmp_path / "package", "1.2.3")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("--port 70000", 3, "--port 70000: not a port"),
        ("--port x", 3, "'x' is not a valid integer"),
        ("--build site --port 1 --no-open", 3, "--build serves nothing: --no-open has no meaning"),
        ("--pyodide nowhere", 2, "cannot read nowhere: it has no pyodide.mjs"),
        ("--pyodide nowhere --build site", 2, "cannot read nowhere: it has no pyodide.mjs"),
    ],
)
def test_wrong_requests_are_refused(words: str, status: int, said: str, tmp_path: Path) -> None:
    found = printed("playground", *words.split())
    assert (found[0], found[1]) == (status, "")
    assert said in found[2]
    assert list(tmp_path.iterdir()) == []


def test_build_says_where_pyodide_comes_from(place: Path) -> None:
    status, _, said = printed("playground", "--build", "site", "--pyodide", str(place))
    assert status == 0
    assert said.endswith(f"Pyodide 1.2.3 comes from {place}, so the page needs no network\n")


@pytest.fixture
def server() -> Iterator[Server]:
    files = {"index.html": b"<p>", "worker.js": b"1", "pyodide-1/pyodide.asm.wasm": b"2"}
    with Server(files, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_taken_port_is_refused(server: Server) -> None:
    status, _, said = printed("playground", "--port", str(server.server_port))
    assert status == 2
    assert f"--port {server.server_port}: cannot serve there: address already in use" in said


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("/", 200, "text/html; charset=utf-8"),
        ("/worker.js?abc", 200, "text/javascript; charset=utf-8"),
        ("/pyodide-1/pyodide.asm.wasm", 200, "application/wasm"),
        ("/../pyproject.toml", 404, None),
        ("/favicon.ico", 404, None),
    ],
)
def test_the_server_has_these_files_and_no_others(
    server: Server, path: str, status: int, kind: str | None
) -> None:
    link = http.client.HTTPConnection(HOST, server.server_port)
    link.request("GET", path)
    told = link.getresponse()
    assert told.status == status
    if kind is not None:
        assert told.getheader("Content-Type") == kind
        assert ("immutable" in str(told.getheader("Cache-Control"))) == (path != "/")
    link.close()


def test_another_name_for_this_machine_is_refused(server: Server) -> None:
    link = http.client.HTTPConnection(HOST, server.server_port)
    link.request("GET", "/", headers={"Host": "evil.example"})
    assert link.getresponse().status == 403
    link.close()
