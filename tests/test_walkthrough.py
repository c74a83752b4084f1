"""docs/walkthrough.md: five questions of a newcomer, answered by the review page of raymarch.

The quick test compares what the walk-through quotes with the page. `tests/browser.sh` takes its steps in
Chromium; with S2SAD_SCREENSHOTS=docs it writes the pictures anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from test_review import Page

from s2sad.options import Options
from s2sad.reviewing import Case, made
from s2sad.source import Source

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
KERNEL = ROOT / "examples" / "raymarch.cu"
TEXT = (DOCS / "walkthrough.md").read_text(encoding="utf-8")
HEIGHT = 450  # of the window: so a picture shows what is looked at
SMALL = 150_000  # bytes of a picture


@cache
def drawn() -> str:
    """Return the page of the walk-through, with its check."""
    source = Source(str(KERNEL), KERNEL.read_text(encoding="utf-8"))
    return made(source, Options(), Case.of(str(KERNEL), None), None, "cpu").text


def quotes() -> list[str]:
    return [
        line for block in re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()
    ]


def test_the_walk_through_quotes_the_page() -> None:
    """A quote is what stands on the page, whatever its layout."""
    page = re.sub(r"\s", "", " ".join(Page.of(drawn()).texts))
    assert len(quotes()) >= 15
    for line in quotes():
        assert re.sub(r"\s", "", line) in page, line


def test_the_lines_that_it_names_are_those_of_the_page() -> None:
    found = Page.of(drawn())
    assert found.code["a154"].strip() == "atomicAdd(&adj_cx[b], -adj_x);"
    assert found.code["a143"].strip() == "adj_sharpness_sum -= d * g_sharpness_d;"
    assert found.partners["a143"] == {"p32": "reverse"}
    back = {id: of["p32"] for id, of in found.partners.items() if "p32" in of}
    assert {id for id, role in back.items() if role == "reverse"} == {"a141", "a142", "a143"}
    assert sum(role == "forward" for role in back.values()) == 2


def test_the_pictures_are_there_and_small() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\((\S+\.png)\)", TEXT)
    assert pictures == [f"walkthrough_{number}.png" for number in range(1, 6)]
    for name in pictures:
        assert 0 < (DOCS / name).stat().st_size < SMALL, name


# ---- the steps, in a browser ---------------------------------------------------


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return the page in Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: tests/browser.sh")
    import shutil

    file = tmp_path_factory.mktemp("walk") / "review.html"
    file.write_text(drawn(), encoding="utf-8")
    with playwright.sync_playwright() as api:
        browser = api.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": HEIGHT})
        page.emulate_media(reduced_motion="reduce")
        page.goto(file.as_uri())
        yield page
        browser.close()


def shot(tab: Any, number: int, around: str, *lines: str) -> None:
    """Write a picture of a part of the page; of the panes, with these lines in view."""
    for line in lines:
        tab.evaluate(
            "id => { const line = document.getElementById(id), pane = line.closest('.side');"
            " pane.scrollTop += line.getBoundingClientRect().top - pane.getBoundingClientRect().top - 120; }",
            line,
        )
    tab.locator(around).evaluate("one => one.scrollIntoView({ block: 'start' })")
    tab.mouse.move(600, HEIGHT - 2)  # below the panes: no line is pointed at
    if folder := os.environ.get("S2SAD_SCREENSHOTS"):
        tab.locator(around).screenshot(path=f"{folder}/walkthrough_{number}.png")


def opened(tab: Any, id: str) -> str:
    """Open the reasons of a line and return them."""
    tab.locator(f"#{id} > details > summary").click()
    return " ".join(str(tab.locator(f"#{id} > details").inner_text()).split())


@pytest.mark.browser
def test_why_is_this_atomic(tab: Any) -> None:
    tab.locator(".glance div", has_text="Atomics").locator("a.at").first.click()
    assert tab.locator(".l.selected").get_attribute("id") == "a154"
    said = opened(tab, "a154")
    assert "every thread reads the same cx[b]" in said
    assert "otherwise a plain +=" in said
    shot(tab, 1, ".panes", "a154", "p31")
    opened(tab, "a154")
    assert "cx[b] (line 31)" in tab.locator("#proofs").inner_text()


@pytest.mark.browser
def test_what_if_i_drop_this_tape(tab: Any) -> None:
    tab.locator(".glance div", has_text="On the tape").locator("a.at").first.click()
    assert tab.locator(".l.selected").get_attribute("id") == "p28"
    said = opened(tab, "p28")
    assert "192 bytes per thread" in said
    assert "otherwise recompute: rerun the loop up to each iteration (--recompute t)" in said
    shot(tab, 2, ".panes", "p28", "a97")
    opened(tab, "p28")


@pytest.mark.browser
def test_which_line_is_this_the_adjoint_of(tab: Any) -> None:
    tab.locator("#a143 code").click()
    lit = tab.locator(".l.forward, .l.reverse")
    assert [one.get_attribute("id") for one in lit.all()] == ["p32"]
    assert "reverse" in lit.first.get_attribute("class")
    assert tab.locator(".l.selected").get_attribute("id") == "a143"
    colours = "id => getComputedStyle(document.getElementById(id)).backgroundColor"
    assert tab.evaluate(colours, "p28") != tab.evaluate(colours, "a143")
    shot(tab, 3, ".panes", "p32", "a143")


@pytest.mark.browser
def test_is_it_right(tab: Any) -> None:
    assert tab.locator(".glance .check-ok").inner_text() == "ok"
    tab.get_by_role("link", name="Check", exact=True).click()
    said = " ".join(tab.locator("#check").inner_text().split())
    for line in ("12 of 13 sides", "not reached: a scene without balls is infinitely far away"):
        assert line in said
    shot(tab, 4, "#check table")


@pytest.mark.browser
def test_what_may_i_change(tab: Any) -> None:
    tab.get_by_role("link", name="Edits").click()
    said = tab.locator("#edits").inner_text()
    assert "s2sad check raymarch.cu raymarch_adj.cu" in said
    assert tab.locator("#edits").bounding_box()["y"] < HEIGHT
    shot(tab, 5, "#edits")
