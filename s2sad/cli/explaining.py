"""`s2sad help`: what a message means, pages of documentation, options of a command."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import asdict

import click

from .. import error_index
from ..diagnostics import Code, Rejected, diagnose
from .outcome import Outcome


@click.command("help")
@click.argument("names", metavar="[CODE|TOPIC|COMMAND]…", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="The entries as JSON on standard error.")
@click.pass_context
def explained(ctx: click.Context, names: tuple[str, ...], as_json: bool) -> Outcome:
    """Explain a message by its code: what it means, why, an example, and what to do.

    \b
    s2sad help shared-writer
    s2sad help                      all codes, and the pages of documentation
    """
    known, pages, commands = error_index.entries(), error_index.topics(), _commands(ctx)
    wrong = [
        diagnose(Code.NO_SUCH_CODE, None, name=name, help=_nearest(name, [*known, *pages, *commands]))
        for name in names
        if _plain(name) not in known and name not in pages and name not in commands
    ]
    if wrong:
        raise Rejected(*wrong)
    shown = [known[_plain(name)] for name in names if _plain(name) in known]
    texts = [_text(name, ctx, commands) for name in names]
    return Outcome(
        product="\n\n".join(texts) if names else error_index.listed(),
        data={
            "entries": [
                {
                    **asdict(entry),
                    "example": [
                        {"file": file or None, "text": text} for file, text in error_index.example(entry.code)
                    ],
                }
                for entry in (shown if names else known.values())
            ],
            "topics": list(pages),
        },
    )


def _text(name: str, ctx: click.Context, commands: Mapping[str, click.Command]) -> str:
    entry = error_index.entries().get(_plain(name))
    if entry is not None:
        return error_index.told(entry)
    parts = []  # `audit` is a command and a page
    if name in commands:
        parts.append(commands[name].get_help(click.Context(commands[name], ctx.parent, name)) + "\n")
    if name in error_index.topics():
        parts.append(error_index.topics()[name].read_text(encoding="utf-8"))
    return "\n".join(parts)


def _commands(ctx: click.Context) -> Mapping[str, click.Command]:
    group = ctx.find_root().command
    return group.commands if isinstance(group, click.Group) else {}


def _plain(name: str) -> str:
    """Return the code in `error[shared-writer]`, or in `SHARED_WRITER`."""
    return name.partition("[")[2].rstrip("]:") or name if "[" in name else name.lower().replace("_", "-")


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(_plain(name), known, 3, 0.5)
    return f"did you mean {' or '.join(near)}" if near else "to list them: s2sad help"
