"""Reading and replacing files atomically."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from s2sad import files
from s2sad.diagnostics import Rejected


def refused(call: object, *args: str) -> list[str]:
    assert callable(call)
    with pytest.raises(Rejected) as caught:
        call(*args)
    return [d.code.slug for d in caught.value.diagnostics]


def test_an_output_replaces_a_file_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "out.cu"
    target.write_text("old")
    target.chmod(0o640)
    files.replace(str(target), "new\n")
    assert target.read_text() == "new\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["out.cu"]


def test_a_new_output_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    files.replace(str(tmp_path / "out.cu"), "")
    assert (tmp_path / "out.cu").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.cu").write_text("old")
    (tmp_path / "link.cu").symlink_to("real.cu")
    files.replace(str(tmp_path / "link.cu"), "new")
    assert (tmp_path / "link.cu").is_symlink()
    assert (tmp_path / "real.cu").read_text() == "new"


@pytest.mark.parametrize("name", ["", ".", "missing/out.cu", "file/out.cu", "a\0b"])
def test_what_cannot_be_written_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("kept")
    assert refused(files.replace, name, "text") == ["unwritable"]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_when_moving_fails_the_old_file_is_whole_and_nothing_else_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.cu"
    target.write_text("old")

    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    assert refused(files.replace, str(target), "new") == ["unwritable"]
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.cu"]


def test_a_device_is_written_to_and_not_replaced() -> None:
    files.replace("/dev/null", "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_two_names_of_one_file_are_the_same_through_links_of_either_kind(tmp_path: Path) -> None:
    real = tmp_path / "k.cu"
    real.write_text("")
    (tmp_path / "soft.cu").symlink_to(real)
    (tmp_path / "hard.cu").hardlink_to(real)
    (tmp_path / "other.cu").write_text("")
    for name in ("k.cu", "soft.cu", "hard.cu", "./k.cu"):
        assert files.same(str(real), str(tmp_path / name)), name
    for name in ("other.cu", "missing.cu"):
        assert not files.same(str(real), str(tmp_path / name)), name
    assert not files.same("-", str(real))


def test_a_position_counts_characters_of_the_text_as_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_bytes(b"\xef\xbb\xbfa\r\nb\rc")
    assert files.read(str(tmp_path / "k.cu")).text == "a\nb\nc"
