"""Entries in the formats of tools: lines as a compiler prints them, JSON, SARIF, commands of GitHub Actions.

SARIF is version 2.1.0 (OASIS, 2020); the commands are those of "Workflow commands for GitHub Actions".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from urllib.parse import quote

from .. import error_index
from ..entries import FOUND, Entry, Format, Place
from ..validate.entries import CHECKED
from ..version import VERSION

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RAN = (0, 1, 2)
"""The statuses of a command that did its work, whatever it found."""
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def written(format: Format, entries: Iterable[Entry], status: int, data: Mapping[str, object]) -> str:
    """Return the entries of a command that ended with `status`; `data` is what JSON has beside them."""
    found = tuple(entries)
    match format:
        case "text":
            return "".join(f"{_line(one)}\n" for one in found)
        case "github":
            return "".join(f"{_command(one)}\n" for one in found)
        case "json":
            told = {"status": status, "entries": [one.to_dict() for one in found], **data}
            return json.dumps(told, indent=2) + "\n"
        case "sarif":
            return json.dumps(_sarif(found, status), indent=2) + "\n"


# ---- lines and commands ---------------------------------------------------------------


def _line(entry: Entry) -> str:
    at = entry.place
    where = f"{at.file}:{at.line}:{at.column}: " if at else ""
    return f"{where}{entry.level}: {_first(entry.message)} [{entry.code}]"


def _first(message: str) -> str:
    return " ".join(message.splitlines()[0].split()) if message else ""


def _command(entry: Entry) -> str:
    at = entry.place
    parts = {"title": f"s2sad: {entry.code}"}
    if at is not None:
        parts = {"file": _relative(at.file), "line": str(at.line), "col": str(at.column), **parts}
        if at.end_line is not None and at.end_column is not None:
            parts |= {"endLine": str(at.end_line), "endColumn": str(at.end_column)}
    told = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in parts.items())
    return f"::{_COMMANDS[entry.level]} {told}::{_escaped(entry.text)}"


def _escaped(text: str, more: str = "") -> str:
    for sign in ("%", "\r", "\n", *more):
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


# ---- SARIF ------------------------------------------------------------------------------


def _sarif(entries: tuple[Entry, ...], status: int) -> dict[str, object]:
    placed = [one for one in entries if one.place is not None]
    codes = list(dict.fromkeys(one.code for one in placed))
    told = [{"level": one.level, "message": {"text": one.message}} for one in entries if one.place is None]
    run = {
        "tool": {
            "driver": {"name": "s2sad", "semanticVersion": VERSION, "rules": [_rule(code) for code in codes]}
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "the folder that s2sad ran in"}}},
        "invocations": [
            {
                "executionSuccessful": status in RAN,
                "exitCode": status,
                "toolExecutionNotifications": told,
            }
        ],
        "results": [_result(one, codes.index(one.code)) for one in placed],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, object]:
    known = error_index.entries().get(code)
    means = known.means if known else {**CHECKED, **FOUND}.get(code, code)
    rule: dict[str, object] = {"id": code, "shortDescription": {"text": _sentence(means)}}
    if known is not None:
        rule["fullDescription"] = {"text": means}
        rule["help"] = {"text": " ".join(filter(None, (known.why, known.instead)))}
    return rule


def _sentence(text: str) -> str:
    return text.split(". ")[0].rstrip(".") + "."


def _result(entry: Entry, rule: int) -> dict[str, object]:
    assert entry.place is not None
    result: dict[str, object] = {
        "ruleId": entry.code,
        "ruleIndex": rule,
        "level": entry.level,
        "message": {"text": entry.text},
        "locations": [{"physicalLocation": _location(entry.place)}],
    }
    if entry.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(place), "message": {"text": said or "see"}}
            for number, (place, said) in enumerate(entry.related, 1)
        ]
    return result


def _location(place: Place) -> dict[str, object]:
    region = {"startLine": place.line, "startColumn": place.column}
    if place.end_line is not None and place.end_column is not None:
        region |= {"endLine": place.end_line, "endColumn": place.end_column}
    path = _relative(place.file)
    if PurePath(path).is_absolute():
        return {"artifactLocation": {"uri": PurePath(path).as_uri()}, "region": region}
    uri = quote(PurePath(path).as_posix())
    return {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}, "region": region}


def _relative(file: str) -> str:
    """Return a path relative to the current folder, if it is inside it."""
    path, here = Path(file), Path.cwd()
    return path.relative_to(here).as_posix() if path.is_absolute() and path.is_relative_to(here) else file
