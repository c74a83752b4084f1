"""The review page in Chromium: lines light up, keys work, colours have contrast, nothing overflows.

`tests/browser.sh` runs these, in an environment with playwright and Debian's Chromium. Elsewhere they are
left out. Screenshots are in the folder S2SAD_SCREENSHOTS, if that is set.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: tests/browser.sh")

from s2sad import checking, pipeline  # noqa: E402
from s2sad.ir import Function  # noqa: E402
from s2sad.options import Options  # noqa: E402
from s2sad.review.emitted_lines import lines, outwards  # noqa: E402
from s2sad.review.page import page  # noqa: E402
from s2sad.review.partners import Partners  # noqa: E402
from s2sad.reviewing import Case, made  # noqa: E402
from s2sad.source import Source  # noqa: E402

ROOT = Path(__file__).parents[1]
FILES = {
    "relax": ROOT / "examples" / "relax.cu",
    "raymarch": ROOT / "examples" / "raymarch.cu",
    "conv2d_shared": ROOT / "tests" / "audit" / "reference" / "conv2d_shared.cu",
    "softmax_block": ROOT / "tests" / "audit" / "reference" / "softmax_block.cu",
    "lltm": ROOT / "examples" / "bindings" / "lltm.cu",
}
LONG = "long"  # a kernel of 300 lines
SIZES = {"wide": (1440, 900), "narrow": (390, 844)}


def long_kernel() -> str:
    steps = "".join(
        f"    const float a{k} = a{k - 1} + 0.1f * sinf(w[{k % 8}] * a{k - 1});\n" for k in range(1, 290)
    )
    return (
        'extern "C" __global__ void long_chain(const float *x, const float *w, float *y, int n)\n{\n'
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n)\n        return;\n"
        f"    const float a0 = x[i];\n{steps}    y[i] = a289;\n}}\n"
    )


def source(name: str) -> Source:
    if name == LONG:
        return Source("long_chain.cu", long_kernel())
    return Source(str(FILES[name]), FILES[name].read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the pages as files; those of examples are checked on their cases."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name in (*FILES, LONG):
        beside = (
            checking.case_beside(str(FILES[name]))
            if name in FILES and "audit" not in str(FILES[name])
            else None
        )
        text = made(source(name), Options(), Case(beside, found=True), None).text
        found[name] = folder / f"{name}.html"
        found[name].write_text(text, encoding="utf-8")
        assert found[name].stat().st_size < 2_000_000
    return found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Return a browser, Debian's if it is there."""
    with playwright.sync_playwright() as api:
        path = shutil.which("chromium")
        browser = api.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Tab:
    """A page in the browser; what it says on the console, and what it asks for, must be nothing."""

    def __init__(self, browser: Any, file: Path, fragment: str = "", size: str = "wide", **how: Any) -> None:
        width, height = SIZES[size]
        self.context = browser.new_context(viewport={"width": width, "height": height}, **how)
        self.page = self.context.new_page()
        self.told: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.told.append(message.text))
        self.page.on("pageerror", lambda error: self.told.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(f"{file.as_uri()}{fragment}")

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *what: object) -> None:
        self.context.close()
        if what[0] is None:
            assert self.told == []
            assert len(self.asked) == 1, self.asked

    def lit(self) -> dict[str, str]:
        """Return the lines that are lit, and how."""
        found = self.page.evaluate(
            "[...document.querySelectorAll('.l.forward, .l.reverse')]"
            ".map(l => [l.id, l.classList.contains('reverse') ? 'reverse' : 'forward'])"
        )
        return dict(found)

    def focused(self) -> str:
        return str(self.page.evaluate("document.activeElement.closest('.l')?.id || ''"))

    def shot(self, name: str) -> None:
        folder = os.environ.get("S2SAD_SCREENSHOTS")
        if folder:
            self.page.screenshot(path=f"{folder}/{name}.png")


def expected(name: str) -> dict[str, dict[str, str]]:
    """Return the partners of each emitted line, from the IR."""
    done = pipeline.transform(source(name), Options())
    found = lines(done.adjoint, done.text)
    functions = {s: None for line in found for r in outwards(line.record) for s in r.says}
    partners = Partners([f for f in functions if isinstance(f, Function)], found)
    return {f"a{n.number}": {f"p{at.line}": role for at, role in partners.of(n).items()} for n in found}


@pytest.mark.parametrize("name", [*FILES, LONG])
def test_pointing_at_a_line_lights_up_its_partners_of_the_ir(
    chromium: Any, pages: dict[str, Path], name: str
) -> None:
    with Tab(chromium, pages[name]) as tab:
        for id, partners in expected(name).items():
            event = "new MouseEvent('mouseover', { bubbles: true })"
            tab.page.evaluate(f"document.querySelector('#{id} code').dispatchEvent({event})")
            assert tab.lit() == partners, id


def test_pointing_at_a_line_of_the_primal_lights_up_all_its_lines(
    chromium: Any, pages: dict[str, Path]
) -> None:
    back = {id: of["p15"] for id, of in expected("relax").items() if "p15" in of}
    with Tab(chromium, pages["relax"]) as tab:
        tab.page.hover("#p15 code")
        assert tab.lit() == back
        assert set(back.values()) == {"forward", "reverse"}
        tab.page.mouse.move(5, 5)
        assert tab.lit() == {}


def test_a_fragment_selects_a_line_and_brings_its_partner_into_view(
    chromium: Any, pages: dict[str, Path]
) -> None:
    with Tab(chromium, pages[LONG], "#p150") as tab:
        assert tab.page.locator("#p150").get_attribute("class") == "l noted selected"
        box = tab.page.locator(".l.quote.reverse").first.bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 900
        tab.page.evaluate("location.hash = '#a9'")
        tab.page.wait_for_function("document.querySelector('#a9').classList.contains('selected')")


def test_the_page_can_be_used_with_the_keyboard_alone(chromium: Any, pages: dict[str, Path]) -> None:
    with Tab(chromium, pages["relax"]) as tab:
        tab.page.focus("main .left .l .n[tabindex='0']")
        assert tab.focused() == "p1"
        for _ in range(14):
            tab.page.keyboard.press("ArrowDown")
        assert tab.focused() == "p15"
        assert tab.page.evaluate("location.hash") == "#p15"
        tab.page.keyboard.press("Enter")
        assert tab.page.locator("#p15 > details").get_attribute("open") is not None
        assert tab.page.locator("#p15 .note").first.is_visible()
        tab.page.keyboard.press("ArrowRight")
        assert tab.focused().startswith("a")
        tab.page.keyboard.press("ArrowUp")
        tab.page.keyboard.press("j")
        tab.page.keyboard.press("ArrowLeft")
        assert tab.focused() == "p15"
        tab.page.keyboard.press("Tab")
        assert tab.page.evaluate("document.activeElement.tagName") == "SUMMARY"
        tab.shot("relax_keyboard")


def test_the_picture_of_the_documentation(chromium: Any, pages: dict[str, Path]) -> None:
    with Tab(chromium, pages["relax"], "#p15", color_scheme="light") as tab:
        tab.page.set_viewport_size({"width": 1280, "height": 800})
        tab.page.evaluate("window.scrollTo(0, 0)")
        assert "a66" in tab.lit()
        tab.shot("review")


def test_without_scripts_the_page_still_has_everything(chromium: Any, pages: dict[str, Path]) -> None:
    with Tab(chromium, pages["relax"], java_script_enabled=False) as tab:
        tab.page.locator("#p11 > details > summary").click()
        assert tab.page.locator("#p11 .note").first.is_visible()
        tab.page.locator("#p15 .refs a").first.click()
        assert "#a" in tab.page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [*FILES, LONG])
def test_colours_have_contrast_and_everything_has_a_name(
    chromium: Any, pages: dict[str, Path], name: str, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with Tab(chromium, pages[name], "#p15", color_scheme=scheme) as tab:
        dark = tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (dark == "rgb(21, 23, 26)") == (scheme == "dark")
        tab.page.locator(".l > details").first.evaluate("d => d.open = true")
        found = Axe().run(tab.page).response["violations"]
        tab.shot(f"{name}_{scheme}")
        assert [(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found] == []


@pytest.mark.parametrize("name", [*FILES, LONG])
def test_nothing_overflows_on_a_telephone(chromium: Any, pages: dict[str, Path], name: str) -> None:
    with Tab(chromium, pages[name], size="narrow", has_touch=True) as tab:
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
        id = next(id for id, of in expected(name).items() if "reverse" in of.values())
        line = tab.page.locator(f"#{id}")
        line.scroll_into_view_if_needed()
        line.locator(".n").tap()
        assert tab.page.locator("#peek a").count() >= 1
        tab.shot(f"{name}_narrow")
        tab.page.locator("#peek a").first.tap()
        assert tab.page.evaluate("location.hash")[:2] in ("#p", "#q")


def test_on_paper_nothing_is_cut_off(chromium: Any, pages: dict[str, Path]) -> None:
    with Tab(chromium, pages[LONG]) as tab:
        tab.page.emulate_media(media="print")
        for side in ("left", "right"):
            cut = f"(s => s.scrollHeight > s.clientHeight + 1)(document.querySelector('.{side}'))"
            assert not tab.page.evaluate(cut)
        assert not tab.page.locator("nav").is_visible()
        assert len(tab.page.pdf(format="A4")) > 10_000


def test_a_page_is_the_same_without_its_check_and_with_changes(chromium: Any, tmp_path: Path) -> None:
    from s2sad.review.changes import changes

    done = pipeline.transform(source("relax"), Options())
    old = pipeline.transform(source("relax"), Options(store=("s",)))
    file = tmp_path / "changes.html"
    file.write_text(page(done, None, changes("old_adj.cu", old.text, done.text)), encoding="utf-8")
    with Tab(chromium, file) as tab:
        assert tab.page.locator("#changes ins").count() >= 2
        assert tab.page.locator(".l.new").count() > 0
        tab.page.locator(".hunk a").first.click()
        assert tab.page.locator(".l.selected").count() == 1
        tab.shot("relax_changes")
