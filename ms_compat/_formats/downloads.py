"""What a download leaves in a file's place when it fails: a page of text, or a pointer of Git LFS."""

import os

_HEAD = 64
_POINTER = b"version https://git-lfs.github.com/spec/"
_PAGES = (b"<!doctype html", b"<html", b"<?xml")


def check_download(path: str) -> None:
    """Checks that a file of parameters is not a page or a pointer. No format begins with their letters.

    Raises:
        ValueError: it is one of these.
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    if head.startswith(_POINTER):
        raise ValueError(f"'{path}' is a pointer of Git LFS in the file's place: 'git lfs pull' downloads the file")
    if head.lstrip().lower().startswith(_PAGES):
        raise ValueError(f"'{path}' is a web page ({os.path.getsize(path)} bytes): the download did not give the file")
