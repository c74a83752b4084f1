"""Pages of the documentation site that aren't in docs/, and links to them: hooks of mkdocs.

The pages of docs/ link to files of the repository, as one reads them there. On the site the README is
the first page; other Markdown files and kernels that a page links to become pages; a lesson, a script
in jupytext's percent format, becomes a page with its kernels.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)\s#]*)(#[^)\s]*)?(?=\))")
PICTURES = (".svg", ".png")
LANGUAGES = {".cu": "cuda", ".cuh": "cuda", ".py": "python", ".toml": "toml", ".yml": "yaml", ".sh": "bash"}

GUIDES = ("review", "audit", "chains", "pytorch", "jax", "cupy", "cpp", "ci", "trust")
REFERENCE = ("options", "cases", "calling-convention", "derivatives", "errors")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Order the pages; those that no list names are guides."""
    named = {*GUIDES, *REFERENCE, "gallery", "playground"}
    guides = [*GUIDES, *sorted(page.stem for page in DOCS.glob("*.md") if page.stem not in named)]
    nav: list[dict[str, Any]] = [
        {"Start": ["index.md", "start/install.md", "start/tour.md"]},
        {"Guides": [f"{name}.md" for name in guides]},
        {
            "Reference": [
                "reference/command-line.md",
                *(f"{name}.md" for name in REFERENCE),
                "reference/python.md",
            ]
        },
    ]
    if chapters := _chapters():
        nav.append({"Lessons": [*(["learn/README.md"] * (DOCS / "learn" / "README.md").exists()), *chapters]})
    examples = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("examples/*/README.md"))
    nav.append({"Examples": ["examples/README.md", "gallery.md", *examples]})
    if (DOCS / "playground.md").exists():
        nav.append({"Playground": "playground.md"})
    nav.append({"Contributing": ["CONTRIBUTING.md", "CHANGELOG.md"]})
    config.nav = nav
    return config


def _named(nav: object) -> set[str]:
    """Return the pages that a list of pages names."""
    match nav:
        case str():
            return {nav}
        case dict():
            return set().union(*map(_named, nav.values()))
        case list():
            return set().union(*map(_named, nav))
        case _:
            return set()


_UNLISTED = InclusionLevel.NOT_IN_NAV


def _chapters() -> list[str]:
    return [f"learn/{path.stem}.md" for path in sorted((DOCS / "learn").glob("[0-9]*.py"))]


# ---- pages -------------------------------------------------------------------


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of files outside docs/ that pages link to, and of those that these link to."""
    for name in _chapters():
        script = (DOCS / name).with_suffix(".py")
        files.append(File.generated(config, name, content=chapter(script)))
    waiting = [*((DOCS / file.src_uri) for file in files.documentation_pages()), ROOT / "README.md"]
    waiting += [ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or not path.exists():
            continue
        seen.add(path)
        text = "" if path.suffix in PICTURES else _page_text(path)
        if path.suffix in PICTURES:
            files.append(File.generated(config, uri(path), abs_src_path=str(path)))
        elif not path.is_relative_to(DOCS):
            page = File.generated(config, uri(path), content=text)
            page.inclusion = InclusionLevel.INCLUDED if page.src_uri in _named(config.nav) else _UNLISTED
            files.append(page)
        if path.suffix == ".md" or path.is_dir():
            waiting += [other for other in _linked(path, text) if not other.is_relative_to(DOCS)]
    return files


def uri(path: Path) -> str:
    """Return the name of a repository file's page."""
    if path == ROOT / "README.md":
        return "index.md"
    if path.is_relative_to(DOCS):
        inside = path.relative_to(DOCS).as_posix()
        chapter_of = f"{inside.removesuffix('.py')}.md"
        return chapter_of if chapter_of in _chapters() else inside
    inside = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        return f"{inside}/index.md" if not (path / "README.md").exists() else f"{inside}/README.md"
    return inside if path.suffix in (".md", *PICTURES) else f"{inside}.md"


def _page_text(path: Path) -> str:
    if path.is_dir():
        names = sorted(p.name for p in path.iterdir() if p.suffix in LANGUAGES or p.name == "README.md")
        listed = "".join(f"* [{name}]({name})\n" for name in names)
        return f"# {path.relative_to(ROOT)}\n\n{listed}"
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    return f"# {path.name}\n\n{fence(text, path.suffix)}"


def fence(text: str, suffix: str) -> str:
    """Return a text as a block of code."""
    return f"````{LANGUAGES.get(suffix, 'text')}\n{text.rstrip()}\n````\n"


def _linked(path: Path, text: str) -> Iterator[Path]:
    folder = path if path.is_dir() else path.parent
    for match in LINK.finditer(_without_code(text)):
        target = Path(os.path.normpath(folder / match[1]))
        if match[1] and target.exists() and target.is_relative_to(ROOT):
            yield target / "README.md" if (target / "README.md").exists() else target


def _without_code(text: str) -> str:
    text = re.sub(r"^( *)(```+).*?^\1\2", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def chapter(script: Path) -> str:
    """Return a lesson as Markdown: its prose, its code, and the kernels that it shows."""
    out: list[str] = []
    for cell in re.split(r"^# %%", script.read_text(encoding="utf-8"), flags=re.M)[1:]:
        kind, _, body = cell.partition("\n")
        if "[markdown]" in kind:
            out.append("\n".join(re.sub(r"^# ?", "", line) for line in body.strip().splitlines()))
            continue
        out.append(fence(body.strip(), ".py"))
        for name in re.findall(r'"(\w+\.cu)"', body):
            if (script.parent / name).exists():
                out.append(fence((script.parent / name).read_text(encoding="utf-8"), ".cu"))
    return "\n\n".join(out) + "\n"


def commands() -> str:
    """Return what each command prints with --help."""
    import click

    from s2sad.cli import app

    outer = click.Context(app, info_name="s2sad", terminal_width=96, **app.context_settings)
    out = [fence(app.get_help(outer), "")]
    for name in app.list_commands(outer):
        command = app.get_command(outer, name)
        if command is not None and not command.hidden:
            inner = click.Context(command, info_name=name, parent=outer, terminal_width=96)
            out += [f"## s2sad {name}", fence(command.get_help(inner), "")]
    return "\n\n".join(out)


# ---- links -------------------------------------------------------------------


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links to files of the repository into links to their pages."""
    here = page.file.src_uri
    markdown = markdown.replace("<!-- commands -->", commands())
    source = source_of(here)
    folder = source if source.is_dir() else source.parent

    def link(match: re.Match[str]) -> str:
        target, anchor = match[1], match[2] or ""
        if not target:
            return match[0]
        path = Path(os.path.normpath(folder / target))
        if not path.exists() or not path.is_relative_to(ROOT):
            return match[0]
        return os.path.relpath(uri(path), os.path.dirname(here) or ".") + anchor

    return in_four_columns(_outside_code(markdown, lambda text: LINK.sub(link, text)))


def source_of(name: str) -> Path:
    """Return the repository file of a page."""
    if name == "index.md":
        return ROOT / "README.md"
    if name in _chapters():
        return (DOCS / name).with_suffix(".py")
    if (DOCS / name).exists():
        return DOCS / name
    path = ROOT / name
    if path.exists():
        return path
    return path.parent if path.name == "index.md" else path.with_suffix("")


def _outside_code(text: str, change: Any) -> str:
    parts = re.split(r"(^ *```+.*?^ *```+ *$)", text, flags=re.M | re.S)
    return "".join(part if k % 2 else change(part) for k, part in enumerate(parts))


def in_four_columns(text: str) -> str:
    """Indent nested lists by four columns for each level, where the repository's pages have two.

    Python's Markdown takes less for a part of the outer item, and wants a blank line before a list.
    """

    def deeper(part: str) -> str:
        lines: list[str] = []
        listed = False
        for line in part.split("\n"):
            if re.match(r"[*-] |\d+\. ", line):
                if lines and lines[-1].strip() and not listed:
                    lines.append("")
                listed = True
            elif line and not line.startswith(" "):
                listed = listed and bool(lines and lines[-1].strip())
            if listed and (inner := re.match(r" {2,3}(?=[*-] )", line)):
                line = "    " + line[inner.end() :]
                if lines[-1].strip() and not re.match(r" {4}", lines[-1]):
                    lines.append("")
            lines.append(line)
        return "\n".join(lines)

    return _outside_code(text, deeper)
