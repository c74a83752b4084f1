"""`s2sad`: the command line, and its handling of errors.

Exit statuses: 0 done, 1 the check failed, 2 refused, 3 wrong usage, 4 a tool is
missing. A user's error never causes a traceback; an error of ours exits with 70
and the stage where it happened, and writes no file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

import click

from .. import faults
from ..diagnostics import Code, Rejected, diagnose
from ..entries import FORMATS
from ..version import VERSION
from .arguments import not_built, usage
from .audit import audit
from .bind import bind
from .chain import chain
from .check import check
from .explaining import explained
from .lesson import lesson
from .mutate import mutate
from .outcome import (
    DONE,
    INTERNAL,
    INTERRUPTED,
    MISSING_TOOL,
    MISUSED,
    REFUSED,
    Asked,
    Misused,
    Outcome,
    present,
)
from .playground import playground
from .reference import case, doctor, example, rules
from .review import review
from .trace import trace
from .transform import explain, kernels, transform

_LATER = {
    "bench": "",
}


class _Commands(click.Group):
    """The commands of the interface; those that aren't implemented yet are rejected by name."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _LATER:
            raise Misused(not_built(f"s2sad {cmd_name}", _LATER[cmd_name]))
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(VERSION, prog_name="s2sad", message="%(prog)s %(version)s")
def app() -> None:
    """Write the adjoint of a CUDA-C kernel, and check it.

    \b
    s2sad transform relax.cu --of y --wrt x,w -o relax_adj.cu
    s2sad check relax.cu relax_adj.cu
    """


for _command in (
    transform,
    check,
    audit,
    bind,
    chain,
    explain,
    review,
    trace,
    kernels,
    case,
    example,
    rules,
    doctor,
    mutate,
    playground,
    lesson,
    explained,
):
    _command.params.append(
        click.Option(
            ["--format"],
            type=click.Choice(FORMATS),
            expose_value=False,
            help="Only findings, for tools, on standard output; nothing else is printed there.",
        )
    )
    app.add_command(_command)


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    words = list(sys.argv[1:] if args is None else args)
    asked = Asked.by(words)  # also if the command line turns out to be wrong
    try:
        outcome = caught(lambda: app.main(words, prog_name="s2sad", standalone_mode=False))
        if not outcome.about:
            outcome = replace(outcome, about=next(filter(_is_source, words), ""))
        present(outcome, asked)
        _leave(outcome.status)
    except KeyboardInterrupt:
        _leave(INTERRUPTED)
    except BrokenPipeError:
        _leave(DONE)
    except OSError as error:  # standard output is full or closed
        sys.stderr.write(f"error[unwritable]: cannot write to standard output: {error.strerror}\n")
        _leave(REFUSED)


def _is_source(word: str) -> bool:
    """Whether a word of the command line names a file that a message may concern."""
    return word.endswith((".cu", ".cuh", ".py", ".toml")) and not word.startswith("-")


def caught(act: Callable[[], object]) -> Outcome:
    """Run a command and return its outcome, also for errors."""
    try:
        result = act()
        return (
            result if isinstance(result, Outcome) else Outcome(DONE)
        )  # --help and --version have no outcome
    except Misused as misused:
        return Outcome(MISUSED, diagnostics=misused.diagnostics)
    except click.exceptions.NoArgsIsHelpError as error:
        return Outcome(MISUSED, remarks=error.format_message() + "\n")
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.UsageError as error:
        return Outcome(MISUSED, diagnostics=(usage(_lower(error.format_message()), _help(error)),))
    except Rejected as rejected:
        return Outcome(REFUSED, diagnostics=rejected.diagnostics)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        if _is_missing_tool(error):
            said = (diagnose(Code.MISSING_TOOL, None, what=str(error)),)
            return Outcome(MISSING_TOOL, diagnostics=said, data={"missing": str(error)})
        return _internal(error)


def _is_missing_tool(error: Exception) -> bool:
    """Whether a backend is unavailable; its module is imported only if one was requested."""
    if "s2sad.run.backend" not in sys.modules:
        return False
    from ..run.backend import BackendUnavailable

    return isinstance(error, BackendUnavailable)


def _internal(error: Exception) -> Outcome:
    """Return the outcome of an internal error: what happened and where, for a bug report."""
    text = faults.report(error, VERSION)
    return Outcome(INTERNAL, remarks=text, data={"internal": text})


def _lower(text: str) -> str:
    """Convert Click's sentence to a title like ours: without a capital and a full stop."""
    text = " ".join(text.split()).rstrip(".")
    return text[:1].lower() + text[1:]


def _help(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else "s2sad"
    return f"{path} --help"


def _leave(status: int) -> None:
    """End the process; a closed pipe causes no message."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(status)
