"""The served review page in Chromium: it follows the file, its options draw it anew, refusals are shown.

`tests/browser.sh` runs these. Screenshots are in the folder S2SAD_SCREENSHOTS, if that is set.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
pytest.importorskip("playwright.sync_api", reason="needs playwright: tests/browser.sh")

from test_review_in_browser import SIZES, chromium  # noqa: E402, F401

from s2sad.options import Options  # noqa: E402
from s2sad.serving import HOST, Pages, Subject, listening  # noqa: E402

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def relax(tmp_path: Path) -> Path:
    for name in ("relax.cu", "relax.toml"):
        shutil.copy(EXAMPLES / name, tmp_path / name)
    return tmp_path / "relax.cu"


@pytest.fixture
def address(relax: Path) -> Iterator[str]:
    with listening() as server:
        server.pages = Pages(Subject(str(relax), Options()))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{HOST}:{server.server_port}/"
        server.shutdown()


class Tab:
    """A page in the browser; nothing may be said on its console, nothing come from elsewhere."""

    def __init__(self, browser: Any, address: str, size: str = "wide", **how: Any) -> None:
        width, height = SIZES[size]
        self.context = browser.new_context(viewport={"width": width, "height": height}, **how)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.told: list[str] = []
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda error: self.told.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url, address.partition("?")[0]))
        self.page.goto(address)

    def _asked(self, url: str, address: str) -> None:
        if not url.startswith(address):
            self.told.append(url)

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *what: object) -> None:
        self.context.close()
        if what[0] is None:
            assert self.told == []

    def checked(self) -> None:
        """Wait for the check, after which the page is drawn anew."""
        self.page.locator(".glance .check-ok").wait_for()

    def shot(self, name: str) -> None:
        folder = os.environ.get("S2SAD_SCREENSHOTS")
        if folder:
            self.page.screenshot(path=f"{folder}/{name}.png")


def test_the_page_follows_the_file_and_stays_where_it_is(chromium: Any, relax: Path, address: str) -> None:  # noqa: F811
    with Tab(chromium, address) as tab:
        tab.checked()
        tab.page.locator("#p15 > details > summary").click()
        tab.page.evaluate("document.querySelector('.right').scrollTop = 300; window.scrollTo(0, 400)")
        was = tab.page.evaluate("[document.querySelector('.right').scrollTop, window.scrollY]")
        relax.write_text(relax.read_text().replace("sinf", "cosf"))
        tab.page.locator(".left #p15 code", has_text="cosf").wait_for()
        assert tab.page.locator("#p15 > details").get_attribute("open") is not None
        now = tab.page.evaluate("[document.querySelector('.right').scrollTop, window.scrollY]")
        assert now == was
        tab.checked()


def test_a_refusal_has_carets_and_goes_when_the_file_is_mended(
    chromium: Any,  # noqa: F811
    relax: Path,
    address: str,
) -> None:
    text = relax.read_text()
    with Tab(chromium, address) as tab:
        tab.checked()
        relax.write_text(text.replace("sinf(s)", "wave(s)"))
        tab.page.locator(".refusal pre", has_text="^").wait_for()
        said = tab.page.locator(".refusal pre").inner_text()
        assert "error[unknown-function]" in said
        assert ":15:" in said
        tab.shot("served_refusal")
        relax.write_text(text)
        tab.page.locator(".panes").wait_for()


def test_options_draw_the_page_anew_and_show_what_they_cost(chromium: Any, address: str) -> None:  # noqa: F811
    with Tab(chromium, address) as tab:
        tab.checked()
        assert "1 sinf, with s on a tape" in tab.page.locator("form.options").inner_text()
        tab.page.get_by_label("s", exact=True).select_option("store:s")
        tab.page.locator(".command", has_text="--store s").wait_for()
        assert "value=store%3As" in tab.page.url
        assert "rerun the loop up to each iteration" in tab.page.locator("form.options").inner_text()
        tab.page.get_by_role("radio", name="split").check()
        tab.page.locator(".command", has_text="--mode split").wait_for()
        tab.page.get_by_role("radio", name="deterministic").check()
        tab.page.locator(".refusal pre", has_text="order-of-sums").wait_for()
        tab.page.get_by_role("radio", name="fastest").check()
        tab.page.locator(".panes").wait_for()
        tab.page.get_by_role("link", name="as on the command line").click()
        tab.page.wait_for_function("location.search === ''")
        tab.checked()
        tab.shot("served_page")


def test_the_picture_of_the_documentation(chromium: Any) -> None:  # noqa: F811
    with listening() as server:
        server.pages = Pages(Subject(str(EXAMPLES / "raymarch.cu"), Options(), no_check=True))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with Tab(chromium, f"http://{HOST}:{server.server_port}/", color_scheme="light") as tab:
            tab.page.set_viewport_size({"width": 1200, "height": 600})
            form = tab.page.locator("form.options")
            assert "192 bytes per thread" in form.inner_text()
            assert "1 ball_distance, 6 flops, 4 loads" in form.inner_text()
            if folder := os.environ.get("S2SAD_SCREENSHOTS"):
                form.screenshot(path=f"{folder}/served.png")
        server.shutdown()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("query", ["", "?accumulate=deterministic"])
def test_colours_have_contrast_and_everything_has_a_name(
    chromium: Any,  # noqa: F811
    address: str,
    scheme: str,
    query: str,
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with Tab(chromium, address, color_scheme=scheme) as tab:
        tab.checked()
        tab.page.goto(address + query)
        found = Axe().run(tab.page).response["violations"]
        assert [(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found] == []


def test_nothing_overflows_on_a_telephone(chromium: Any, address: str) -> None:  # noqa: F811
    for query in ("", "?accumulate=deterministic"):
        with Tab(chromium, address + query, "narrow") as tab:
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_scripts_a_button_draws_the_page(chromium: Any, address: str) -> None:  # noqa: F811
    with Tab(chromium, address, java_script_enabled=False) as tab:
        tab.page.get_by_role("radio", name="split").check()
        tab.page.get_by_role("button", name="Draw").click()
        tab.page.locator(".command", has_text="--mode split").wait_for()


def test_a_page_whose_server_has_ended_says_so(chromium: Any, relax: Path) -> None:  # noqa: F811
    import subprocess
    import sys

    command = [sys.executable, "-m", "s2sad", "review", str(relax), "--serve", "--no-check"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        tab = Tab(chromium, process.stdout.readline().strip())
        tab.page.locator("#state", has_text="drawn at").wait_for()
        process.terminate()
        tab.page.locator("#state", has_text="s2sad has ended").wait_for()
        tab.context.close()
