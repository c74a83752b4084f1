"""The playground in Chromium: texts are those of the command line, edits are quick, nothing is sent anywhere.

`tests/playground.sh` runs these, with playwright, Debian's Chromium and Pyodide. Elsewhere they are left
out. Screenshots are in the folder S2SAD_SCREENSHOTS, if that is set.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: tests/playground.sh")

from s2sad import cli, pipeline  # noqa: E402
from s2sad.options import Options  # noqa: E402
from s2sad.playground import pyodide, site  # noqa: E402
from s2sad.playground.serving import HOST, Server  # noqa: E402
from s2sad.review.page import emitted_text  # noqa: E402
from s2sad.source import Source  # noqa: E402

ROOT = Path(__file__).parents[1]
SIZES = {"wide": (1440, 900), "narrow": (390, 844)}
if pyodide.found(None).folder is None:
    pytest.skip(f"needs Pyodide {pyodide.VERSION}: tests/playground.sh", allow_module_level=True)

ERRORS = ROOT / "tests" / "errors"
REFUSED = ("scatter", "goto", "inline_assembly", "everything_at_once", "clock", "exception", "files_differ")
OPTIONS = (
    ("relax", {"mode": "split"}),
    ("relax", {"skin": "lesson", "names": "grad"}),
    ("relax", {"store": "s"}),
    ("relax", {"accumulate": "deterministic"}),
    ("heat", {"mode": "tangent"}),
    ("saxpy", {"of": "y", "wrt": "x"}),
    ("saxpy", {"of": "z"}),
    ("saxpy", {"more": "--mode second-order -D N=4"}),
    ("saxpy", {"more": "--seeds 0"}),
)


def kernels(place: Path) -> list[Path]:
    return [path for path in sorted(place.glob("*.cu")) if not path.stem.endswith("_adj")]


CASES = [
    *(pytest.param(path, {}, id=path.stem) for path in kernels(ROOT / "examples")),
    *(pytest.param(path, {}, id=path.stem) for path in kernels(ROOT / "examples" / "gallery")),
    *(pytest.param(ERRORS / f"{name}.cu", {}, id=f"refused-{name}") for name in REFUSED),
    *(
        pytest.param(ROOT / "examples" / f"{name}.cu", options, id=f"{name}-{'-'.join(options.values())}")
        for name, options in OPTIONS
    ),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Return the address of a server for the page."""
    server = Server(site.site(pyodide.found(None)), 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.address
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Return a browser, Debian's if it is there."""
    with playwright.sync_playwright() as api:
        browser = api.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


class Tab:
    """The page in the browser; it may say nothing on the console, and ask for nothing once it is loaded."""

    def __init__(
        self, browser: Any, address: str, fragment: str = "", size: str = "wide", **how: Any
    ) -> None:
        width, height = SIZES[size]
        self.context = browser.new_context(viewport={"width": width, "height": height}, **how)
        self.page = self.context.new_page()
        self.told: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda error: self.told.append(str(error)))
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.began = time.monotonic()
        self.page.goto(f"{address}{fragment}")
        self.first = self.settled()
        self.loaded = len(self.asked)

    def settled(self) -> float:
        """Wait for the result of the last edit; return the seconds since the page was opened."""
        self.page.wait_for_selector("body[data-settled=yes]", timeout=120_000)
        return time.monotonic() - self.began

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *what: object) -> None:
        self.context.close()
        if what[0] is None:
            assert self.told == []
            assert [one for one in self.asked[self.loaded :] if not one.startswith("blob:")] == []

    def write(self, text: str, name: str = "kernel.cu") -> None:
        self.page.fill("#file", name)
        self.page.fill("#text", text)
        self.settled()

    def ask(self, path: Path, options: dict[str, str]) -> None:
        """Open a file, through the menu if it is there."""
        shown = {"examples": "", "gallery": ""}.get(path.parent.name)
        if shown is not None:
            self.page.select_option("#example", "")
            self.page.select_option("#example", path.stem)
        else:
            self.page.fill("#file", path.name)
            self.page.fill("#text", path.read_text(encoding="utf-8"))
        for field in self.page.locator("#options [name]").all():
            value = options.get(str(field.get_attribute("name")), "")
            if field.evaluate("f => f.tagName") == "SELECT":
                field.select_option(label=value) if value else field.select_option(index=0)
            else:
                field.fill(value)
        self.settled()

    def text(self, selector: str) -> str:
        return str(self.page.evaluate("s => document.querySelector(s).textContent", selector))

    def status(self) -> str:
        return self.text("#status")

    def review(self) -> Any:
        """Show the page for reviewers and return its frame."""
        self.page.click("#tab-review")
        self.settled()
        self.page.locator("#panel-review:not(.old)[data-drawn] iframe").wait_for()
        return self.page.frame_locator("#panel-review iframe")

    def marked(self) -> list[str]:
        """Return the numbers of the lines that are marked in the margin."""
        return [str(one).strip() for one in self.page.locator("#gutter .error").all_text_contents()]

    def shot(self, name: str) -> None:
        folder = os.environ.get("S2SAD_SCREENSHOTS")
        if folder:
            self.page.screenshot(path=f"{folder}/playground_{name}.png")


@pytest.fixture(scope="module")
def tab(chromium: Any, address: str) -> Iterator[Tab]:
    """Return a page that several tests use one after the other."""
    with Tab(chromium, address) as tab:
        yield tab


def words(options: dict[str, str]) -> list[str]:
    found = [word for name, value in options.items() if name != "more" for word in (f"--{name}", value)]
    return [*found, *options.get("more", "").split()]


def printed(command: str, path: Path, options: dict[str, str], folder: Path) -> tuple[int, str, str]:
    """Return what the command line prints for a copy of a file, in an empty folder."""
    headers = ["*.cuh"] if path.parent.name == "gallery" else []  # as the page has them
    for name in (*headers, path.name):
        for file in path.parent.glob(name):
            shutil.copy(file, folder)
    line = [sys.executable, "-m", "s2sad", command, path.name, *words(options)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(line, cwd=folder, env=env, capture_output=True, check=False)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


def test_there_are_at_least_forty_examples() -> None:
    assert len(CASES) >= 40


@pytest.mark.parametrize(("path", "options"), CASES)
def test_texts_are_those_of_the_command_line(
    tab: Tab, path: Path, options: dict[str, str], tmp_path: Path
) -> None:
    status, out, err = printed("transform", path, options, tmp_path)
    tab.ask(path, options)
    assert tab.text("#messages") == err
    assert (tab.page.locator("#status.bad").count() == 0) == (status == 0)
    if status == 0:
        assert tab.text("#adjoint") == out
        with contextlib.chdir(tmp_path):
            line = ["explain", path.name, *words(options)]
            said = cli.caught(lambda: cli.app.main(line, standalone_mode=False))
        assert tab.text(".explained pre") == said.product
    else:
        assert tab.page.locator("#stale").is_visible()


@pytest.mark.parametrize("name", ["relax", "softmax_row"])
def test_the_review_is_that_of_the_command_line(tab: Tab, name: str, tmp_path: Path) -> None:
    path = ROOT / "examples" / f"{name}.cu"
    page = printed("review", path, {"more": "--no-check"}, tmp_path)[1]
    assert page.count("Not checked: --no-check") == 2
    tab.ask(path, {})
    frame = tab.review()
    why = f"Not checked: a browser has no compiler; run `s2sad check {name}.cu`"
    assert frame.locator(".row").all_text_contents() == rows(page, tab)
    assert why in frame.locator("body").text_content()
    tab.page.click("#tab-adjoint")


def rows(page: str, tab: Tab) -> list[str]:
    """Return the lines of code of a page, as the browser reads it."""
    script = "page => [...new DOMParser().parseFromString(page, 'text/html').querySelectorAll('.row')]"
    return list(tab.page.evaluate(f"{script}.map(row => row.textContent)", page))


def test_times_of_loading_and_of_edits(
    chromium: Any, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Printed, not judged: they depend on the machine and on what else it does."""
    with Tab(chromium, address) as tab:
        said = [f"cold load to first adjoint {tab.first:.1f} s"]
        tab.page.wait_for_timeout(2000)  # until the browser keeps the compiled modules
        tab.began = time.monotonic()
        tab.page.reload()
        said.append(f"second visit {tab.settled():.1f} s")
        for name in ("saxpy", "relax", "softmax_row", "raymarch"):
            tab.ask(ROOT / "examples" / f"{name}.cu", {})
            times = []
            for _ in range(5):
                tab.page.focus("#text")
                tab.page.keyboard.press("Control+End")
                began = time.monotonic()
                tab.page.keyboard.type(" ")
                tab.settled()
                times.append(time.monotonic() - began)
            said.append(f"edit of {name} {sorted(times)[2]:.2f} s")
        tab.loaded = len(tab.asked)
    with capsys.disabled():
        print(f"\n{'; '.join(said)} (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")


def edit_of(tab: Tab) -> int:
    return int(tab.status().split()[1].rstrip(":"))


def test_what_is_typed_is_transformed_and_the_status_says_which_edit(tab: Tab) -> None:
    tab.ask(ROOT / "examples" / "saxpy.cu", {})
    before = edit_of(tab)
    tab.page.click("#text")
    tab.page.keyboard.press("Control+End")
    tab.page.keyboard.type("// one", delay=100)
    tab.settled()
    assert before < edit_of(tab) <= before + 6
    assert "adjoint in" in tab.status()
    text = str(tab.page.input_value("#text"))
    tab.page.fill("#text", text.replace("a * x[i]", "a * x[i] * x[i]"))
    tab.settled()
    assert "2.0f * a * x[i]" in tab.text("#adjoint")


def test_typing_does_not_wait_for_a_long_kernel(tab: Tab) -> None:
    steps = "".join(f"    s = s * s + {k}.0f;\n" for k in range(400))
    head = "__global__ void k(const float *x, float *y)\n{\n    float s = x[threadIdx.x];\n"
    tab.page.fill("#file", "long.cu")
    tab.page.fill("#text", f"{head}{steps}    y[threadIdx.x] = s;\n}}\n")
    tab.page.wait_for_timeout(200)
    assert tab.text("#status").endswith("working …")
    tab.page.focus("#text")
    tab.page.keyboard.press("Control+End")
    tab.page.keyboard.type("// typed meanwhile")
    assert str(tab.page.input_value("#text")).endswith("// typed meanwhile")
    assert tab.text("#status").endswith("working …")
    tab.settled()
    assert "adjoint in" in tab.status()


def test_a_new_line_begins_where_the_last_one_did(tab: Tab) -> None:
    tab.page.fill("#text", "    int i;")
    tab.page.focus("#text")
    tab.page.keyboard.press("Control+End")
    tab.page.keyboard.press("Enter")
    tab.page.keyboard.type("int j;")
    assert tab.page.input_value("#text") == "    int i;\n    int j;"
    tab.settled()


def expected(name: str) -> list[dict[int, str]]:
    """Return the partners of each emitted line, from the IR."""
    path = ROOT / "examples" / f"{name}.cu"
    done = pipeline.transform(Source(path.name, path.read_text(encoding="utf-8")), Options())
    return [{at.line: role for at, role in of.items()} for of in emitted_text(done)[1]]


@pytest.mark.parametrize("name", ["relax", "softmax_row"])
def test_pointing_at_a_line_lights_up_its_partners_of_the_ir(tab: Tab, name: str) -> None:
    tab.ask(ROOT / "examples" / f"{name}.cu", {})
    for number, partners in enumerate(expected(name)):
        event = "line => line.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))"
        tab.page.locator(f"#adjoint .line[data-line='{number}']").evaluate(event)
        read = "bands => bands.map(band => [Number(band.dataset.line), band.classList[1]])"
        assert dict(tab.page.locator("#bands .band").evaluate_all(read)) == partners, number


def test_pointing_at_a_line_of_the_kernel_lights_up_its_adjoint(tab: Tab) -> None:
    tab.ask(ROOT / "examples" / "relax.cu", {})
    box = tab.page.locator("#gutter .number").nth(14).bounding_box()
    assert box is not None
    tab.page.mouse.move(box["x"] + 200, box["y"] + box["height"] / 2)
    read = "lines => lines.map(line => Number(line.dataset.line))"
    lit = tab.page.locator("#adjoint .forward, #adjoint .reverse").evaluate_all(read)
    assert lit == [number for number, of in enumerate(expected("relax")) if 15 in of]
    tab.page.mouse.down()
    tab.page.mouse.up()  # brings the first one into view
    assert tab.page.locator("#adjoint .reverse").first.is_visible()
    tab.shot("hover")
    tab.page.locator("#text").blur()
    tab.page.mouse.move(5, 5)
    assert tab.page.locator("#adjoint .forward, #adjoint .reverse").count() == 0


def test_a_refusal_has_its_caret_its_place_and_its_explanation(tab: Tab) -> None:
    tab.ask(ROOT / "examples" / "relax.cu", {})
    tab.ask(ERRORS / "scatter.cu", {})
    line = next(
        n for n, text in enumerate(tab.page.input_value("#text").split("\n"), 1) if "out[idx[i]] =" in text
    )
    assert tab.marked() == [str(line)]
    assert tab.text("#marks mark.error") == "out[idx[i]]"
    assert "^^^^^^^^^^^ two threads may write the same element" in tab.text("#messages")
    assert "refused" in tab.status()
    assert "void relax_adj(" in tab.text("#adjoint")  # and the page says whose it is
    assert "below is that of edit" in tab.text("#stale")
    tab.shot("refused")
    tab.page.click("#messages .is-place")
    at = int(tab.page.evaluate("document.querySelector('#text').selectionStart"))
    assert str(tab.page.input_value("#text"))[at:].startswith("out[idx[i]]")
    tab.page.click("#messages .is-error")
    assert tab.text("#helped").startswith("shared-writer")
    tab.shot("explained")
    tab.page.click("#unhelp")
    tab.page.fill("[name=more]", "--assume injective:idx")
    tab.settled()
    assert "adjoint in" in tab.status()
    assert tab.marked() == []
    assert not tab.page.locator("#stale").is_visible()


def test_a_file_of_several_kernels_offers_them(tab: Tab) -> None:
    one = (ROOT / "examples" / "saxpy.cu").read_text(encoding="utf-8").replace("// s2sad: ", "// ")
    tab.ask(ROOT / "examples" / "saxpy.cu", {})
    tab.write(one + one.replace("saxpy(", "other("), "two.cu")
    assert "refused" in tab.status()
    names = tab.page.locator("#kernels option").evaluate_all("all => all.map(one => one.value)")
    assert names == ["saxpy", "other"]
    tab.page.fill("[name=kernel]", "other")
    tab.settled()
    assert "void other_adj(" in tab.text("#adjoint")


def test_the_review_lights_up_lines_inside_its_frame(tab: Tab) -> None:
    tab.ask(ROOT / "examples" / "relax.cu", {})
    frame = tab.review()
    frame.locator("#p15 > .row code").hover()
    assert frame.locator(".l.reverse").count() > 0
    frame.locator("#p15 .n").click()
    assert frame.locator("#p15.selected").count() == 1
    tab.shot("review")
    tab.page.click("#tab-plan")
    assert tab.page.locator("#panel-plan table").count() == 2
    tab.shot("plan")
    tab.page.click("#tab-adjoint")


def test_a_link_holds_the_kernel_its_name_and_the_options(chromium: Any, address: str) -> None:
    rights = {"permissions": ["clipboard-read", "clipboard-write"]}
    with Tab(chromium, address, **rights) as tab:
        text = (ROOT / "examples" / "gallery" / "nbody.cu").read_text(encoding="utf-8") + "// Grüße, 力\n"
        tab.page.select_option("#example", "nbody")
        tab.page.fill("#file", "mine.cu")
        tab.page.fill("#text", text)
        tab.page.select_option("[name=mode]", "split")
        tab.settled()
        adjoint = tab.text("#adjoint")
        tab.page.click("#link")
        tab.page.locator("#link", has_text="Copied").wait_for()
        link = str(tab.page.evaluate("navigator.clipboard.readText()"))
        assert link.startswith(f"{address}#k=")
        assert len(link) < 2000
    with Tab(chromium, address, link.removeprefix(address)) as tab:
        assert tab.page.input_value("#text") == text
        assert tab.page.input_value("#file") == "mine.cu"
        assert tab.text("#adjoint") == adjoint
        assert "nbody_fwd" in adjoint
        assert not any("k=" in one.partition("#")[0] for one in tab.asked)


def test_a_broken_link_says_so_and_the_page_works(chromium: Any, address: str) -> None:
    with Tab(chromium, address, "#k=bm90IGEga2VybmVs") as tab:
        assert tab.text("#about") == "This link doesn't hold a kernel."
        assert "adjoint in" in tab.status()


def test_once_loaded_the_page_needs_no_network(chromium: Any, address: str) -> None:
    with Tab(chromium, address) as tab:
        tab.context.set_offline(True)
        tab.ask(ROOT / "examples" / "gallery" / "heston_paths.cu", {})
        assert "adjoint in" in tab.status()
        assert tab.review().locator("h1").text_content() == "heston_paths_adj"
        tab.ask(ERRORS / "scatter.cu", {})
        assert "refused" in tab.status()


def test_the_browser_lets_neither_page_nor_python_send_anything(chromium: Any, address: str) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-settled=yes]", timeout=120_000)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    other = address.replace(HOST, "localhost")  # the same server, but another origin
    script = "address => fetch(address, { mode: 'no-cors' }).then(() => 'sent', () => 'blocked')"
    for where in (page, page.workers[0]):
        assert where.evaluate(script, address) == "sent"
        assert where.evaluate(script, other) == "blocked"
    assert set(asked) <= {address}
    context.close()


def test_without_pyodide_the_page_says_what_to_do(chromium: Any) -> None:
    server = Server(site.site(pyodide.Pyodide(None)), 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = chromium.new_context()
    page = context.new_page()
    page.route("https://**", lambda route: route.abort())
    page.goto(server.address)
    page.locator("#status.bad").wait_for(timeout=30_000)
    said = page.locator("#status").text_content()
    assert "Python can't be loaded" in said
    assert "--pyodide DIR" in said
    assert pyodide.CDN in said
    context.close()
    server.shutdown()
    server.server_close()


def test_a_kernel_that_nests_too_deeply_is_refused_and_the_next_one_works(tab: Tab) -> None:
    terms = " + ".join(f"x[i + {k}]" for k in range(1000))
    tab.ask(ROOT / "examples" / "saxpy.cu", {})
    tab.write(f"__global__ void k(const float *x, float *y, int i)\n{{\n    y[0] = {terms};\n}}\n")
    assert "a kernel that nests this deeply, in a browser" in tab.text("#messages")
    tab.ask(ROOT / "examples" / "saxpy.cu", {})
    assert "adjoint in" in tab.status()


def test_the_page_can_be_used_with_the_keyboard_alone(tab: Tab) -> None:
    tab.ask(ROOT / "examples" / "relax.cu", {})
    tab.page.focus("#tab-adjoint")
    tab.page.keyboard.press("ArrowRight")
    assert tab.page.locator("#panel-plan").is_visible()
    assert tab.page.evaluate("document.activeElement.id") == "tab-plan"
    tab.page.keyboard.press("ArrowLeft")
    assert tab.page.locator("#panel-adjoint").is_visible()
    tab.page.focus("#text")
    tab.page.keyboard.press("Control+Home")
    for _ in range(14):
        tab.page.keyboard.press("ArrowDown")
    assert tab.page.locator("#adjoint .reverse").count() > 0
    tab.page.keyboard.press("Tab")  # leaves the editor
    assert tab.page.evaluate("document.activeElement.id") != "text"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_have_contrast_and_everything_has_a_name(
    chromium: Any, address: str, scheme: str, size: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with Tab(chromium, address, size=size, color_scheme=scheme) as tab:
        for name, path in (("relax", ROOT / "examples" / "relax.cu"), ("scatter", ERRORS / "scatter.cu")):
            tab.ask(path, {})
            for panel in ("plan", "adjoint"):
                tab.page.click(f"#tab-{panel}")
                found = Axe().run(tab.page).response["violations"]
                shown = [(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found]
                assert shown == [], f"{name}, {panel}"
            tab.page.evaluate("scrollTo(0, 0)")
            tab.shot(f"{name}_{scheme}_{size}")
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]


def test_a_built_page_works_below_a_folder_of_any_server(chromium: Any, tmp_path: Path) -> None:
    site.build(pyodide.found(None), tmp_path / "docs" / "play")
    handler = functools.partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with Tab(chromium, f"http://127.0.0.1:{server.server_port}/docs/play/") as tab:
            assert "adjoint in" in tab.status()
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
