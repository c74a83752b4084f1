"""Checks the built documentation site: every link leads somewhere, and nothing comes from the network.

Run as `python tests/check_site.py FOLDER`; prints what is wrong, with its page, and exits with 1. Links
to other sites aren't followed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}
"""What a browser loads by itself; stylesheets and icons are links with a `rel`."""


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := said.get(key))}
        for key in ("href", "src"):
            target = said.get(key)
            if target is None:
                continue
            rel = (said.get("rel") or "").split()
            if (tag, key) in LOADED or (tag == "link" and {"stylesheet", "icon", "preconnect"} & set(rel)):
                self.loads.append(target)
            if tag != "link" or "canonical" not in rel:
                self.links.append(target)


def problems(folder: Path) -> Iterator[str]:
    """Yield what is wrong in a site."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))}
    if not pages:
        yield f"{folder}: no page"
    for path, page in pages.items():
        name = path.relative_to(folder)
        for target in page.loads:
            if urlparse(target).netloc:
                yield f"{name}: loads {target} from the network"
        if name.name == "404.html":
            continue  # its links are those of a server
        for link in page.links:
            if urlparse(link).scheme or link.startswith("//"):
                continue
            where, anchor = urldefrag(link)
            goal = (path.parent / unquote(where)).resolve() if where else path
            if goal.is_dir():
                goal /= "index.html"
            if not goal.exists():
                yield f"{name}: {link} leads nowhere"
            elif anchor and goal in pages and unquote(anchor) not in pages[goal].anchors:
                yield f"{name}: {link} has no such anchor"
    for sheet in folder.rglob("*.css"):
        if "url(http" in sheet.read_text("utf-8").replace('"', "").replace("'", ""):
            yield f"{sheet.relative_to(folder)}: loads from the network"


def main() -> int:
    found = list(problems(Path(sys.argv[1]).resolve()))
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
