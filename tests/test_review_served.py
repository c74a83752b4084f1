"""`s2sad review --serve`: pages drawn from files as they are, options with their costs, refusals as pages."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from test_cli import CASE, SCALE
from test_review import BRANCH, Page

from s2sad.diagnostics import Rejected
from s2sad.options import Options, Unclear
from s2sad.review.controls import asked
from s2sad.serving import HOST, Pages, Subject, listening

ROOT = Path(__file__).parents[1]
RELAX = ROOT / "examples" / "relax.cu"


@pytest.fixture
def relax(tmp_path: Path) -> Path:
    path = tmp_path / "relax.cu"
    path.write_text(RELAX.read_text(encoding="utf-8"), encoding="utf-8")
    return path


@pytest.fixture
def scale(tmp_path: Path) -> Path:
    path = tmp_path / "scale.cu"
    path.write_text(SCALE, encoding="utf-8")
    return path


def pages(file: Path, **how: object) -> Pages:
    return Pages(Subject(str(file), Options(of=("y",)), **{"no_check": True, **how}))  # type: ignore[arg-type]


@contextmanager
def served(found: Pages) -> Iterator[http.client.HTTPConnection]:
    """Serve pages, and yield a connection to them."""
    with listening() as server:
        server.pages = found
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        connection = http.client.HTTPConnection(HOST, server.server_port, timeout=30)
        yield connection
        connection.close()
        server.shutdown()


def get(connection: http.client.HTTPConnection, path: str, **headers: str) -> tuple[int, str]:
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_the_page_has_the_options_with_the_cost_of_each(relax: Path) -> None:
    status, text = pages(relax).draw("")
    assert status == 200
    found = " ".join(Page.of(text).texts)
    for said in (
        "tape in registers: 2 × 32 bytes per thread; 1 atomic, 1 block sum",
        "tape in global memory: 32 bytes per thread; 1 atomic, 1 block sum",
        "refused: the sum in `adj_x` depends on the order of the threads",
        "ds/dw: 1 sinf, with s on a tape",
    ):
        assert said in " ".join(found.split())
    assert '<option value="store:s">--store s</option>' in text
    assert 'value="joint" checked' in text


def test_a_choice_makes_the_adjoint_of_the_command_with_it(relax: Path) -> None:
    _, text = pages(relax).draw("value=store:s&value=&mode=joint&accumulate=fastest")
    assert "s2sad transform relax.cu --of y --wrt x,w --store s" in text
    assert '<option value="store:s" selected>--store s</option>' in text
    assert "recompute: rerun the loop" not in text.split("</form>")[0]
    assert "rerun the loop up to each iteration" in text.split("</form>")[0]
    _, text = pages(relax).draw("mode=split")
    assert "relax_fwd" in text
    assert 'value="split" checked' in text


def test_a_refusal_is_a_page_with_carets_and_the_options_that_lead_there(relax: Path) -> None:
    status, text = pages(relax).draw("accumulate=deterministic")
    assert status == 200
    Page.of(text)
    assert "error[order-of-sums]" in text
    assert "^^^^^^^^ several threads add to one element" in text
    assert 'value="deterministic" checked' in text
    relax.write_text("__global__ void k(float *y) { y[0] = <script>(); }\n", encoding="utf-8")
    status, text = pages(relax).draw("")
    assert "&lt;script&gt;" in text
    assert text.count("<script>") == 1
    relax.unlink()
    assert "error[unreadable]" in pages(relax).draw("")[1]


@pytest.mark.parametrize(
    "query",
    [
        "value=s",
        "value=tape:s",
        "value=store:1",
        "value=store:s&value=recompute:s",
        "mode=both",
        "accumulate=any",
        "store=s",
        "of=x",
        "rules=/etc/passwd",
    ],
)
def test_what_isnt_an_option_of_the_page_is_refused(scale: Path, query: str) -> None:
    with served(pages(scale)) as connection:
        status, text = get(connection, f"/?{query}")
    assert status == 400
    assert "error[usage]" in text


def test_queries_are_options() -> None:
    given = Options(of=("y",), store=("t",), mode="split")
    assert asked({}, given) == given
    found = asked({"value": ["store:s", "", "recompute:t"], "mode": ["joint"]}, given)
    assert found == Options(of=("y",), store=("s",), recompute=("t",), mode="joint")
    with pytest.raises(Unclear):
        asked({"kernel": ["k"]}, given)


def test_a_saved_file_ends_the_wait_of_a_page(scale: Path) -> None:
    (scale.parent / "deep").mkdir()
    header = scale.parent / "deep" / "more.cuh"
    header.write_text("#define MORE 1\n", encoding="utf-8")
    scale.write_text('#include "deep/more.cuh"\n' + scale.read_text(encoding="utf-8"), encoding="utf-8")
    found = pages(scale)
    for path in (scale, header, scale.with_suffix(".toml"), scale.parent / "s2sad.toml"):
        _, text = found.draw("mode=split")
        said = re.search(r'data-stamp="([^"]*)" data-query="([^"]*)"', text)
        assert said is not None
        assert found.stamp("mode=split") == said[1]
        assert said[2] == "mode=split"
        with path.open("a", encoding="utf-8") as file:
            file.write("\n")
        assert found.stamp("mode=split") != said[1], path


def test_events_come_when_the_file_is_saved(scale: Path) -> None:
    with served(pages(scale)) as connection:
        _, text = get(connection, "/")
        stamp = re.search(r'data-stamp="([^"]*)"', text)
        assert stamp is not None
        connection.request("GET", f"/events?stamp={stamp[1]}&query=")
        answer = connection.getresponse()
        assert answer.getheader("Content-Type") == "text/event-stream"
        assert answer.readline() == b": waiting\n"
        scale.write_text(scale.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        assert b"data: changed\n\n" in answer.read()


def test_the_check_runs_beside_the_page(tmp_path: Path) -> None:
    file = tmp_path / "branch.cu"
    file.write_text(BRANCH, encoding="utf-8")
    case = CASE.replace("scale", "branch").replace("a = 1.5\n", "")
    file.with_suffix(".toml").write_text(case, encoding="utf-8")
    found = pages(file, no_check=False, backend="cpu")
    _, text = found.draw("")
    assert "the check runs now" in text
    stamp = re.search(r'data-stamp="([^"]*)"', text)
    assert stamp is not None
    for _ in range(600):
        if found.stamp("") != stamp[1]:
            break
        time.sleep(0.1)
    _, text = found.draw("")
    assert "ok on what ran" in text
    assert "never ran" in text


def test_only_this_machine_is_served_and_only_by_its_own_names(scale: Path) -> None:
    with served(pages(scale)) as connection:
        assert get(connection, "/", Host="example.org")[0] == 403
        assert get(connection, "/../scale.cu")[0] == 404
        assert get(connection, "/scale.cu")[0] == 404
        connection.request("POST", "/")
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 501
        connection.request("GET", "/")
        answer = connection.getresponse()
        answer.read()
        assert "default-src 'none'" in str(answer.getheader("Content-Security-Policy"))
        assert answer.getheader("Cache-Control") == "no-store"


def test_a_port_that_is_taken_is_named() -> None:
    with listening() as server, pytest.raises(Rejected) as refused:
        listening(server.server_port)
    assert f"error[port-taken]: cannot serve on port {server.server_port}" in str(refused.value)


def test_the_command_prints_the_address_and_ends_with_ctrl_c(scale: Path) -> None:
    command = [sys.executable, "-m", "s2sad", "review", str(scale), "--serve", "--no-check"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
            connection = http.client.HTTPConnection(address.split("/")[2], timeout=30)
            assert get(connection, "/")[0] == 200
            connection.close()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, out) == (0, "")
    assert "Ctrl+C ends it" in err
    assert "Traceback" not in err
