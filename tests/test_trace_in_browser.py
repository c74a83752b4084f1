"""The page of a trace in Chromium: rows light up, links lead to rows, colours have contrast.

`tests/browser.sh` runs these, as those of the review page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
pytest.importorskip("playwright.sync_api", reason="needs playwright: tests/browser.sh")

from test_review_in_browser import Tab, chromium  # noqa: E402, F401

from s2sad.tracing import Trace, trace  # noqa: E402

ROOT = Path(__file__).parents[1]
RELAX = ROOT / "examples" / "relax.cu"


@pytest.fixture(scope="module")
def traced() -> Trace:
    return trace(RELAX, thread=(1, 5))


@pytest.fixture(scope="module")
def file(traced: Trace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("pages") / "relax.html"
    found.write_text(traced.html(), encoding="utf-8")
    assert found.stat().st_size < 2_000_000
    return found


def lit(tab: Tab, how: str) -> set[str]:
    return set(tab.page.evaluate(f"[...document.querySelectorAll('.lit-{how}')].map(row => row.id)"))


def test_pointing_at_a_row_lights_up_the_rows_of_the_lines_it_belongs_to(
    chromium: Any,  # noqa: F811
    file: Path,
    traced: Trace,
) -> None:
    primal, adjoint = traced.kernels
    of: dict[int, set[str]] = {}
    for line in primal.lines:
        of.setdefault(line.line, set()).add(f"p{line.number}")
    with Tab(chromium, file) as tab:
        for line in adjoint.lines:
            if line.sweep == "helper":
                continue
            event = "new MouseEvent('mouseover', { bubbles: true })"
            tab.page.evaluate(f"document.querySelector('#a{line.number} code').dispatchEvent({event})")
            assert lit(tab, "forward") == set().union(*(of.get(number, set()) for _, number in line.of))
        (first, *_) = of[15]
        tab.page.evaluate(f"document.querySelector('#{first} code').dispatchEvent({event})")
        back = [one for one in adjoint.lines if (RELAX.name, 15) in one.of]
        reverse = {f"a{one.number}" for one in back if one.sweep == "reverse"}
        assert lit(tab, "reverse") == reverse
        assert reverse


def test_a_link_to_a_row_opens_the_helper_that_it_is_in_and_selects_it(
    chromium: Any,  # noqa: F811
    file: Path,
    traced: Trace,
) -> None:
    inner = next(one for one in traced.kernels[1].lines if one.sweep == "helper")
    with Tab(chromium, file, f"#a{inner.number}") as tab:
        row = tab.page.locator(f"#a{inner.number}")
        assert row.is_visible()
        assert "selected" in (row.get_attribute("class") or "")
        tab.page.keyboard.press("Escape")
        assert "selected" not in (row.get_attribute("class") or "")
        (one, *_) = traced.taped
        tab.page.click(f"#tape a[href='#a{one.recorded[1]}']")
        recorded = tab.page.locator(f"#a{one.recorded[1]}")
        assert "selected" in (recorded.get_attribute("class") or "")
        recorded.locator("a.kind-record").click()
        assert tab.page.evaluate("location.hash") == f"#a{one.restored[0][1]}"
        tab.shot("trace-selected")


@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overflows_and_colours_have_contrast(
    chromium: Any,  # noqa: F811
    file: Path,
    traced: Trace,
    size: str,
    scheme: str,
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    (one, *_) = traced.taped
    with Tab(
        chromium, file, f"#a{one.restored[0][1]}", size, color_scheme=scheme, reduced_motion="reduce"
    ) as tab:
        widths = tab.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1]
        found = Axe().run(tab.page).response["violations"]
        assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found] == []
        tab.shot(f"trace-{size}-{scheme}")
