"""Two commits of a git repository, read without touching the work tree, the index or the repository.

The files of a commit are written to a folder of ours: git's own objects, without filters.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..diagnostics import Code, Rejected, diagnose

_LARGEST = 4 << 20  # bytes of a file that a kernel may need; arrays of cases are read whatever their size
_ARRAYS = ".npy"
_RANGE = re.compile(r"(?P<base>.*?)(?P<dots>\.\.\.?)(?P<head>.*)", re.DOTALL)
_FILE = re.compile(r"(?P<mode>\d+) (?P<kind>\w+) (?P<id>[0-9a-f]+) +(?P<size>\d+|-)\t(?P<path>.*)", re.DOTALL)
_DEFAULT = "HEAD"


class NoGit(Exception):
    """The command `git` isn't there."""


@dataclass(frozen=True)
class Blob:
    """A file's content, by its id, and its size in bytes."""

    id: str
    size: int


@dataclass(frozen=True)
class Commit:
    """A commit: as it was named, its id, and its files by their paths from the top folder."""

    name: str
    id: str
    files: Mapping[str, Blob]

    @property
    def short(self) -> str:
        same = self.id.startswith(self.name)
        return self.id[:10] if same else f"{self.name} ({self.id[:10]})"


@dataclass(frozen=True)
class Commits:
    """Two commits of a repository; `below` is the current folder, from the top folder."""

    top: Path
    below: PurePosixPath
    base: Commit
    head: Commit

    @property
    def changed(self) -> frozenset[str]:
        """The paths that differ, those of one commit alone included."""
        old, new = self.base.files, self.head.files
        return frozenset(path for path in {*old, *new} if old.get(path) != new.get(path))

    def write(self, commit: Commit, folder: Path) -> None:
        """Write the files of a commit to a folder."""
        (folder / ".git").mkdir()  # a project ends here: nothing is looked for above it
        folder.joinpath(*self.below.parts).mkdir(parents=True, exist_ok=True)
        command = ["git", "cat-file", "--batch"]
        with subprocess.Popen(command, cwd=self.top, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as git:
            assert git.stdin is not None
            assert git.stdout is not None
            for path, blob in commit.files.items():
                git.stdin.write(f"{blob.id}\n".encode())
                git.stdin.flush()
                size = int(git.stdout.readline().split()[-1])
                content = git.stdout.read(size + 1)[:-1]
                target = folder.joinpath(*PurePosixPath(path).parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            git.stdin.close()


def is_range(text: str) -> bool:
    return _RANGE.fullmatch(text) is not None


def read(text: str) -> Commits:
    """Return the commits of `BASE..HEAD`; of `BASE...HEAD`, the first is that where HEAD left BASE.

    What isn't named is HEAD. Raises Rejected, NoGit.
    """
    found = _RANGE.fullmatch(text)
    assert found is not None
    top, why = _asked("rev-parse", "--show-toplevel")
    if top is None:
        why = "" if "not a git repository" in why else why.strip().removeprefix("fatal: ").split("\n")[0]
        raise Rejected(diagnose(Code.NO_REPOSITORY, None, why=why))
    base, head = found["base"] or _DEFAULT, found["head"] or _DEFAULT
    ids = [_id(name) for name in (base, head)]
    if unknown := [name for name, id in zip((base, head), ids, strict=True) if id is None]:
        raise Rejected(*(diagnose(Code.NO_COMMIT, None, name=name) for name in dict.fromkeys(unknown)))
    first, last = (id for id in ids if id is not None)
    if found["dots"] == "...":
        first = _git("merge-base", first, last) or first
    below = PurePosixPath(_git("rev-parse", "--show-prefix") or "")
    return Commits(Path(top), below, Commit(base, first, _files(first)), Commit(head, last, _files(last)))


def _id(name: str) -> str | None:
    """Return the id of a commit, None if there is none of that name."""
    return None if name.startswith("-") else _git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def _files(commit: str) -> dict[str, Blob]:
    """Return the files of a commit that kernels may need; neither links nor other repositories."""
    told = _git("ls-tree", "-r", "-z", "--long", "--full-tree", commit) or ""
    found = {}
    for line in filter(None, told.split("\0")):
        said = _FILE.fullmatch(line)
        if said is None or said["kind"] != "blob" or not said["mode"].startswith("100"):
            continue
        path = PurePosixPath(said["path"])
        size = int(said["size"])
        if (size <= _LARGEST or path.suffix == _ARRAYS) and not {"..", ".git"} & set(path.parts):
            found[said["path"]] = Blob(said["id"], size)
    return found


def _git(*words: str) -> str | None:
    """Return what git prints, None if it fails. Raises NoGit."""
    return _asked(*words)[0]


def _asked(*words: str) -> tuple[str | None, str]:
    """Return what git prints, None if it fails, and its messages."""
    try:
        done = subprocess.run(["git", *words], capture_output=True, check=False)
    except FileNotFoundError:
        raise NoGit("git: needed to read commits") from None
    text, told = (part.decode("utf-8", errors="surrogateescape") for part in (done.stdout, done.stderr))
    return text.removesuffix("\n") if done.returncode == 0 else None, told
