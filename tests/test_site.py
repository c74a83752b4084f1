"""The check of the documentation site finds what it is for; tests/site.sh builds the site and runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.fast

CHECK = Path(__file__).with_name("check_site.py")


def checked(folder: Path) -> tuple[int, list[str]]:
    done = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def test_links_that_lead_nowhere_and_loads_from_the_network_are_found(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text('<h1 id="top">B</h1><a href="https://example.org/">elsewhere</a>')
    links = "".join(f'<a href="{to}">x</a>' for to in ("b.html", "b.html#top", "#own", "c.html", "b.html#no"))
    script = '<script src="https://example.org/a.js"></script><p id="own"></p>'
    (tmp_path / "a.html").write_text(links + script)
    (tmp_path / "a.css").write_text('@font-face { src: url("https://example.org/f.woff") }')
    status, found = checked(tmp_path)
    assert status == 1
    assert found == [
        "a.html: loads https://example.org/a.js from the network",
        "a.html: c.html leads nowhere",
        "a.html: b.html#no has no such anchor",
        "a.css: loads from the network",
    ]


def test_a_site_in_order_passes_and_an_empty_one_does_not(tmp_path: Path) -> None:
    assert checked(tmp_path)[0] == 1
    (tmp_path / "index.html").write_text('<p id="a"></p><a href="#a">a</a><a href="index.html">b</a>')
    assert checked(tmp_path) == (0, [])
