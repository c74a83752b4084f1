"""Templates spell and don't decide: one macro per statement, no more; strict about fields."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from typing import get_args

import pytest
from jinja2 import UndefinedError

from s2sad import ir
from s2sad.emit.skins import environment
from s2sad.resources import folder

SHARED = {"block", "opened", "pragmas", "remark"}


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def test_there_is_one_macro_per_statement_class() -> None:
    text = (folder("templates") / "_stmt.cu.j2").read_text()
    macros = {name.removesuffix("_") for name in re.findall(r"{% macro (\w+)\(", text)}
    kinds = {_snake(cls.__name__) for cls in get_args(ir.Stmt)}
    assert macros - SHARED | ({"block"} & kinds) == kinds
    assert set(re.findall(r'"(\w+)": \w+', text[text.index("set spell") :])) == kinds


def test_a_field_that_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment().get_template("_stmt.cu.j2").module.assign({"target": "a"})  # type: ignore[attr-defined]


def test_each_skin_says_the_same_kinds_of_things() -> None:
    skins = list(folder("templates").rglob("_skin.cu.j2"))
    assert len(skins) == 4
    for path in skins:
        assert re.findall(r"macro (\w+)\(", path.read_text()) == [
            "above",
            "below",
            "opens",
            "closes",
            "quoted",
        ]


def test_no_c_is_spelled_in_the_view() -> None:
    tree = ast.parse((folder("templates").parent / "s2sad" / "emit" / "records.py").read_text())
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
    ]
    assert not [text for text in texts if re.search(r"[;{}=]|//|\b(if|for|while|atomicAdd) ?\(", text)]


def test_importing_emission_does_not_import_the_template_engine() -> None:
    program = "import sys, s2sad.emit; sys.exit('jinja2' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
