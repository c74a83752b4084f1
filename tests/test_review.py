"""The review page: its form, which lines belong together, what it says of the plan and of a check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from golden_kit import asked, fresh
from test_cli import CASE, SCALE, Shell

from s2sad import pipeline
from s2sad.ir import Accumulate, Banner, Barrier, Declare, Function, Quote, Stmt
from s2sad.options import Options
from s2sad.pipeline import Transformed
from s2sad.review.changes import changes, header, named
from s2sad.review.checked import Checked
from s2sad.review.colour import Names, coloured
from s2sad.review.emitted_lines import Line, lines, outwards
from s2sad.review.page import page
from s2sad.review.partners import Partners
from s2sad.review.ranges import fitting, ranges
from s2sad.run.coverage import Coverage, Point
from s2sad.source import Source
from s2sad.validate import Report

ROOT = Path(__file__).parents[1]
EXAMPLES = ("relax", "raymarch", "heat", "saxpy", "gallery/american_put", "gallery/lennard_jones")
GOLDEN = ("block_softmax", "attention_row", "kept_template", "carried_arrays", "velocity_verlet", "forever")
VOID = {"meta", "link", "br", "hr", "img", "input", "wbr", "col"}


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@cache
def made(name: str) -> Transformed:
    """Return the adjoint of an example, or of a golden kernel."""
    file = ROOT / "examples" / f"{name}.cu"
    if not file.exists():
        return fresh(name, asked(name))
    return pipeline.transform(Source(str(file), file.read_text(encoding="utf-8")), Options())


@cache
def drawn(name: str) -> Page:
    return Page.of(page(made(name)))


class Page(HTMLParser):
    """A page's structure: its ids, its links, and the lines of each pane."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []
        self.code: dict[str, str] = {}
        self.partners: dict[str, dict[str, str]] = {}
        self.texts: list[str] = []
        self._line = ""
        self._mute = False
        self._row = 0

    @staticmethod
    def of(text: str) -> Page:
        found = Page()
        found.feed(text)
        found.close()
        assert found.open == [], "tags that are never closed"
        return found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag not in VOID:
            self.open.append(tag)
        if "id" in given:
            self.ids.append(given["id"])
        if "href" in given:
            self.links.append(given["href"])
        self.outside += [given[key] for key in ("src", "srcset", "action", "data", "poster") if key in given]
        if tag == "li" and "l" in given.get("class", "").split():
            self._line = given["id"]
            self.code[self._line] = ""
            words = given.get("data-with", "").split()
            self.partners[self._line] = dict(word.rsplit(":", 1) for word in words)  # type: ignore[misc]
        if given.get("class") == "row":
            self._row = len(self.open)
        if tag == "em":
            self._mute = True

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> without a beginning"
        assert self.open.pop() == tag
        self._mute = self._mute and tag != "em"
        self._row = self._row if len(self.open) >= self._row else 0

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self._row and "code" in self.open[self._row :] and not self._mute:
            self.code[self._line] += data

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def within(found: Page, id: str) -> str:
    return found.code[id].rstrip("\n")


@pytest.mark.parametrize("name", [*EXAMPLES, *GOLDEN])
def test_a_page_is_well_formed_and_asks_for_nothing_outside(name: str) -> None:
    text = page(made(name))
    found = Page.of(text)
    assert found.outside == []
    assert not re.search(r"https?:|//[a-z]+\.[a-z]|@import|url\(", re.sub(r"<code.*?</code>", "", text))
    assert len(found.ids) == len(set(found.ids))
    assert {link for link in found.links if not link.startswith("#")} == set()
    assert {link[1:] for link in found.links} <= set(found.ids)
    assert len(text.encode()) < 2_000_000


@pytest.mark.parametrize("name", [*EXAMPLES, *GOLDEN])
def test_the_lines_of_the_page_are_those_of_the_emitted_file(name: str) -> None:
    found = drawn(name)
    shown = [within(found, id) for id in found.code if id.startswith("a")]
    assert shown == [line.rstrip() for line in made(name).text.removesuffix("\n").split("\n")]


def test_the_same_input_gives_the_same_bytes() -> None:
    assert page(made("relax")) == page(made("relax"))


# ---- which lines belong together ---------------------------------------------


def read(name: str) -> tuple[tuple[Line, ...], Partners]:
    """Return the lines of an emitted file, and what pairs them with the primal's."""
    done = made(name)
    found = lines(done.adjoint, done.text)
    functions = {s: None for line in found for r in outwards(line.record) for s in r.says}
    return found, Partners([f for f in functions if isinstance(f, Function)], found)


def own(line: Line) -> Iterator[Stmt]:
    yield from (s for s in (line.record.says if line.record else ()) if not isinstance(s, Function))


@pytest.mark.parametrize("name", [*EXAMPLES, *GOLDEN])
def test_a_quote_belongs_to_the_line_that_it_quotes(name: str) -> None:
    found, partners = read(name)
    quotes = 0
    for line in found:
        for quote in (s for s in own(line) if isinstance(s, Quote)):
            span = getattr(quote.primal, "span", None)
            if span is None:
                continue
            quotes += 1
            assert span.line in {at.line for at in partners.of(line)}, line.text
            assert set(partners.of(line).values()) == {"reverse"}
    assert quotes or name == "carried_arrays" or "// ---- reverse" not in made(name).text


@pytest.mark.parametrize("name", [*EXAMPLES, *GOLDEN])
def test_an_addition_belongs_to_the_statements_that_it_is_a_contribution_of(name: str) -> None:
    found, partners = read(name)
    for line in found:
        for stmt in own(line):
            if isinstance(stmt, Accumulate):
                sites = [site.stmt for site in stmt.sites if site.stmt is not None]
                spans = [s.span for s in sites if getattr(s, "span", None) is not None]  # type: ignore[union-attr]
                places = {at.line for at in partners.of(line)}
                assert places >= {span.line for span in spans if span is not None}, line.text


@pytest.mark.parametrize("name", [*EXAMPLES, *GOLDEN])
def test_every_line_of_the_adjoint_has_a_partner(name: str) -> None:
    """The exceptions are the tool's own: what rejects a launch, barriers, the tape's parameter."""
    found, partners = read(name)
    alone = [
        line.text.strip()
        for line in found
        if line.record is not None
        and line.text.strip(" {}")
        and not partners.of(line)
        and not any(isinstance(s, Banner | Barrier) for s in own(line))
    ]
    ours = re.compile(
        r"// (Requires|.*NaN\.)|if \(.*(blockDim|gridDim)|.* = nanf?\("
        r"|return;|.*\btape\b|\} else \{|else$"
    )
    assert [text for text in alone if not ours.match(text)] == []


TWO = """\
extern "C" __global__ void two(const float *x, const float *w, float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = sinf(x[i]);
    z[i] = w[i] * w[i] * w[i];
    y[n + i] = expf(x[i]);
}
"""


@pytest.mark.parametrize("removed", [6, 7, 8])
def test_without_a_statement_the_lines_that_belong_to_it_are_gone_and_no_others(removed: int) -> None:
    def pairs(text: str) -> dict[str, set[int]]:
        done = pipeline.transform(Source("two.cu", text), Options(of=("y", "z"), wrt=("x", "w")))
        found = Page.of(page(done))
        reverse = {id: of for id, of in found.partners.items() if "reverse" in of.values()}
        return {within(found, id).strip(): {int(p[1:]) for p in of} for id, of in reverse.items()}

    texts = TWO.split("\n")
    before = pairs(TWO)
    after = pairs("\n".join([*texts[: removed - 1], "", *texts[removed:]]))
    body = {line for line, of in before.items() if of <= {6, 7, 8}}
    gone = {line for line in body if before[line] == {removed}}
    kept = {line for line in body if removed not in before[line]}
    assert gone
    assert not [line for line in gone if re.match(rf"// {removed}:", line) and line in after]
    assert kept <= set(after)
    assert all(removed not in of for of in after.values())
    names = {6: "cosf", 7: "w[i] * w[i]", 8: "expf"}
    assert any(names[removed] in line for line in gone)
    assert not any(names[removed] in line for line in after)


def test_a_variable_of_the_tool_belongs_where_it_is_used() -> None:
    found = drawn("relax")
    by_text = {within(found, id).strip(): of for id, of in found.partners.items()}
    assert by_text["float tape_ds_dw[STEPS];"] == {"p15": "forward"}
    assert by_text["sincosf(s, &sine, &cosine);"] == {"p15": "forward"}
    assert by_text["float adj_w_sum[STEPS] = {0.0f};"] == {"p15": "reverse"}
    assert by_text["block_add_steps(adj_w, adj_w_sum);"] == {"p15": "reverse"}
    assert by_text["if (i + 1 < n)"] == {"p12": "reverse"}
    assert by_text["for (int k = 0; k < STEPS; ++k) {"] == {"p14": "forward"}
    assert by_text["for (int k = STEPS - 1; k >= 0; --k) {"] == {"p14": "reverse"}


def test_lines_of_a_header_are_shown_below_the_file_that_includes_it() -> None:
    found = drawn("gallery/lennard_jones")
    quoted = next(id for id in found.code if "vec.cuh: " in found.code[id] and id.startswith("a"))
    (partner,) = found.partners[quoted]
    assert partner.startswith("q1-")
    assert "return x * x" in found.code[partner]


# ---- what it says ------------------------------------------------------------


def test_each_decision_opens_to_its_reason_its_cost_and_the_price_of_the_other_way() -> None:
    text = drawn("relax").text
    for said in (
        "partial of line 15: saves 1 sinf",
        "32 bytes per thread",
        "recompute: 1 sinf, with s on a tape (--store s)",
        "neighbouring threads share x[i - 1], x[i + 1] and x[i]",
        "up to 3 atomicAdds per thread",
        "up to 8 atomicAdds of a block-wide sum per block",
        "an atomicAdd of each thread instead of one of each block",
    ):
        assert said in text


def test_the_other_way_comes_with_the_option_that_chooses_it() -> None:
    text = " ".join(drawn("raymarch").text.split())
    assert "recompute: rerun the loop up to each iteration ( --recompute t )" in text
    assert "tape: 4 bytes per iteration ( --store d )" in text
    assert "--recompute trips" not in text
    assert "up to 1 atomicAdd per thread and iteration of 2 nested loops" in text


def test_proofs_name_both_accesses_what_keeps_threads_apart_and_the_lemma() -> None:
    text = page(made("relax"))
    assert 'x[i - 1] (line 11)</td><td>x[i + 1] (line 12)</td><td class="says">may meet' in text
    assert "128 * blockIdx.x + threadIdx.x determines the thread" in text
    assert "no barrier" in page(made("gallery/american_put")) or "a barrier lies between them" in page(
        made("gallery/american_put")
    )


def test_parameters_come_with_the_call_their_roles_and_their_sizes() -> None:
    text = drawn("relax").text
    assert "relax_adj<<<grid, block>>>(x, adj_x, w, adj_w, y, adj_y, n);" in text
    assert re.search(r"adj_y const float \* seed in dJ/dy; not modified", text)


def test_code_is_coloured_by_what_it_is() -> None:
    names = Names(frozenset({"adj_x"}), frozenset({"tape_s"}))
    text = "/* two\nlines */ adj_x += 1.5e-3f * tape_s[threadIdx.x]; // x's\n#define A 'b'"
    rows = coloured(text, names)
    assert "\n".join("".join(part for _, part in row) for row in rows) == text
    kinds = {part: kind for row in rows for kind, part in row}
    assert kinds["adj_x"] == "adjoint"
    assert kinds["tape_s"] == "tape"
    assert kinds["1.5e-3f"] == "literal"
    assert kinds["lines */"] == kinds["// x's"] == "comment"
    assert kinds["#define A 'b'"] == "directive"


def test_neighbouring_lines_are_joined_to_ranges() -> None:
    assert ranges(["a9", "a10", "a12", "q1-3", "a11", "q1-5"]) == [
        ("a9", "9–12"),
        ("q1-3", "3"),
        ("q1-5", "5"),
    ]


def test_as_many_ranges_are_shown_as_fit() -> None:
    found = [("a9", "9–12"), ("a15", "15"), ("a20", "20–21")]
    assert fitting(found, 13) == found
    assert fitting(found, 12) == found[:2]
    assert fitting(found, 8) == fitting(found, 2) == found[:1]


def test_what_a_long_file_has_besides_the_kernel_is_folded() -> None:
    host = "".join(f"void host_{k}() {{ }}\n" for k in range(200))
    done = pipeline.transform(Source("scale.cu", host + SCALE + host), Options(of=("y",), wrt=("x",)))
    text = page(done)
    assert "not part of the kernel, 19" in text
    assert "host_17" in text


# ---- with a check ------------------------------------------------------------

BRANCH = """\
extern "C" __global__ void branch(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    if (s > 100.0f)
        s = s * s;
    y[i] = sinf(s);
}
"""


@pytest.fixture
def branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "branch.cu").write_text(BRANCH)
    case = CASE.replace("scale", "branch").replace("a = 1.5\n", "")
    (tmp_path / "branch.toml").write_text(case)
    return tmp_path


def test_lines_that_the_check_never_reached_are_marked_on_both_sides(shell: Shell, branch: Path) -> None:
    ran = shell("review", "branch.cu", "-o", "branch.html")
    assert (ran.status, ran.out) == (0, "")
    text = (branch / "branch.html").read_text()
    Page.of(text)
    assert "ok on what ran" in text
    silent = re.findall(r'<li id="(\w+)" class="[^"]*silent[^"]*"', text)
    assert "p8" in silent
    assert any(id.startswith("a") for id in silent)
    assert "kernel = &#34;branch&#34;" in text


def test_sides_never_taken_and_reasons_are_shown_at_their_lines() -> None:
    points = (
        Point(1, "k.cu", 3, "else"),
        Point(2, "k.cu", 4, ""),
        Point(3, "k.cu", 5, "no trip", why="n > 0"),
    )
    report = Report("k_adj", "cpu", 1e-6, (), also=((Coverage("k", "k.cu", points),),))
    checked = Checked(report, kernel="k")
    assert checked.primal("a/k.cu", 3).sides == ("else",)
    assert checked.primal("a/k.cu", 4).silent
    assert checked.primal("a/k.cu", 5).excused == ("no trip: n > 0",)
    assert not checked.adjoint(4).silent


def test_without_a_check_the_page_says_why(shell: Shell, branch: Path) -> None:
    assert "Not checked: --no-check" in shell("review", "branch.cu", "--no-check").out
    (branch / "branch.toml").unlink()
    assert "Not checked: no case was given" in shell("review", "branch.cu").out


# ---- changes -----------------------------------------------------------------


def test_changes_name_the_lines_and_the_rows_of_the_plan() -> None:
    old = pipeline.transform(made("relax").source, Options(of=("y",), wrt=("x", "w"), store=("s",))).text
    found = changes("old_adj.cu", old, made("relax").text)
    texts = made("relax").text.split("\n")
    assert any("tape_ds_dw[k] = sine;" in texts[number - 1] for number in found.new)
    added = {after: text for hunk in found.hunks for sign, _, after, text in hunk.lines if sign == "+"}
    assert found.new == set(added)
    assert all(texts[number - 1] == text for number, text in added.items())
    rows = {(was.split()[0] if was else "", now.split()[0] if now else "") for _, was, now in found.plan}
    assert {("s", ""), ("", "ds/dw"), ("", "ds/ds")} <= rows
    assert all(part == "values recovered for the reverse sweep" for part, _, _ in found.plan)
    text = page(made("relax"), None, found)
    assert "<ins>ds/dw  tape_ds_dw[STEPS], registers" in text
    assert re.search(r'<li id="a\d+" class="l[^"]* new"', text)
    Page.of(text)


def test_a_file_without_changes_is_said_to_be_the_same() -> None:
    found = changes("relax_adj.cu", made("relax").text, made("relax").text)
    assert found.same
    assert found.plan == ()
    assert "The file is the same." in page(made("relax"), None, found)


@pytest.mark.parametrize("name", [*EXAMPLES, *GOLDEN])
def test_the_tables_of_a_header_are_read_again(name: str) -> None:
    done = made(name)
    found = header(done.text)
    plan = done.adjoint.plan
    sums = {subject for row, _ in found.get("Accumulation of adjoints:", ()) for subject in named(row)}
    assert sums == {row.target for row in plan.accumulations}
    assumptions = {row for row, _ in found.get("Assumptions:", ())}
    assert assumptions == {" ".join(one.rstrip(".").split()) for one in plan.assumptions}


def test_the_page_of_documentation_shows_what_explain_prints(shell: Shell) -> None:
    text = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    ran = shell(
        "explain", ROOT / "examples" / "relax.cu", "--of", "y", "--wrt", "x,w", "--plan-only", "--facts"
    )
    assert len(blocks) == 1
    assert blocks[0] in ran.out


# ---- the command -------------------------------------------------------------


def test_the_page_goes_to_standard_output_or_replaces_a_file(shell: Shell, branch: Path) -> None:
    ran = shell("review", "branch.cu", "--no-check")
    assert ran.out.startswith("<!DOCTYPE html>")
    assert shell("review", "branch.cu", "--no-check", "-o", "page.html").out == ""
    assert (branch / "page.html").read_text() == ran.out
    assert [path.name for path in branch.iterdir() if path.name.startswith(".s2sad")] == []


@pytest.mark.parametrize("output", ["branch.cu", "branch.toml", "old_adj.cu"])
def test_the_page_never_replaces_what_it_is_made_from(shell: Shell, branch: Path, output: str) -> None:
    (branch / "old_adj.cu").write_text("// old\n")
    was = (branch / output).read_text()
    words = ("branch.cu", "--case", "branch.toml", "--compare", "old_adj.cu", "-o", output)
    assert shell("review", *words).status in (2, 3)
    assert (branch / output).read_text() == was


def test_wrong_usage_and_refusals_write_nothing(shell: Shell, branch: Path) -> None:
    assert shell("review", "branch.cu", "--serve", "-o", "x.html").status == 3
    assert shell("review", "-", "--serve").status == 3
    assert shell("review", "branch.cu", "--port", "80").status == 3
    assert shell("review", "branch.cu", "--git", "a").status == 3
    assert shell("review", "branch.cu", "--case", "branch.toml", "--no-check").status == 3
    missing = shell("review", "branch.cu", "--compare", "none_adj.cu", "-o", "page.html")
    assert (missing.status, missing.out) == (2, "")
    refused = shell("review", "branch.cu", "--of", "nothing", "-o", "page.html")
    assert (refused.status, refused.out) == (2, "")
    assert not (branch / "page.html").exists()


def test_a_failed_check_is_shown_and_told_by_the_status(shell: Shell, branch: Path) -> None:
    """The kernel reads past the end of x; the page is written all the same."""
    case = (branch / "branch.toml").read_text().replace('x = { shape = "n"', 'x = { shape = "n - 1"')
    (branch / "branch.toml").write_text(case)
    ran = shell("review", "branch.cu", "-o", "page.html")
    assert ran.status == 1
    assert "check-wrong" in (branch / "page.html").read_text()


def test_explain_points_to_the_page(shell: Shell) -> None:
    ran = shell("explain", "relax.cu", "--html", "relax.html")
    assert ran.status == 3
    assert "s2sad review relax.cu -o relax.html" in ran.err


def test_a_case_of_another_kernel_beside_the_file_is_not_used(shell: Shell, branch: Path) -> None:
    (branch / "branch.cu").write_text(BRANCH + SCALE)
    ran = shell("review", "branch.cu", "--kernel", "scale", "--of", "y", "--wrt", "x")
    assert ran.status == 0
    assert "the case beside the file is of the kernel branch" in ran.out


def test_declared_adjoints_belong_to_the_declaration_of_their_value() -> None:
    found, partners = read("gallery/american_put")
    for line in found:
        for stmt in own(line):
            if isinstance(stmt, Declare) and stmt.sym.name == "adj_spot":
                (at,) = partners.of(line)
                assert "float spot = " in made("gallery/american_put").source.line(at.line)
