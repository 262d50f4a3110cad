"""What a failed download leaves is named, and files of any format pass."""

import os

import pytest

import ms_compat as ms
from ms_compat._formats.downloads import check_download

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (POINTER, "git lfs pull"),
        (b"<!DOCTYPE html>\n", "web page"),
        (b"\n <HTML>", "web page"),
        (b"<?xml ", "web page"),
    ],
)
@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_pages_and_pointers_are_refused(tmp_path, content, words, format):
    path = tmp_path / f"net.{format}"
    path.write_bytes(content)
    for read in (check_download, lambda path: ms.load_checkpoint(path, format=format)):
        with pytest.raises(ValueError, match=words):
            read(str(path))


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_files_pass(tmp_path, format):
    path = str(tmp_path / f"net.{format}")
    ms.save_checkpoint({"<html": ms.Tensor([1.0])}, path, format=format)
    check_download(path)
    assert list(ms.load_checkpoint(path, format=format)) == ["<html"]
    check_download(os.devnull)
