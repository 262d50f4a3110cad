"""`python -m ms_compat convert`: `.ckpt` to safetensors and back, with PyTorch's parameter names if asked for."""

from __future__ import annotations

import argparse
import os
import sys

from ms_compat._core.errors import UnsupportedError
from ms_compat._formats.checkpoint import names
from ms_compat._formats.checkpoint.codec import CkptReader
from ms_compat._formats.checkpoint.convert import convert_file
from ms_compat._formats.checkpoint.safetensors_file import SafetensorsReader

NAME = "convert"
HELP = "convert a checkpoint between .ckpt and .safetensors, and between PyTorch's and MindSpore's names"
EXAMPLES = """\
  ms-compat convert net.ckpt net.safetensors
  ms-compat convert resnet.safetensors resnet.ckpt --from torch --rename head.weight=fc.weight
"""
SUFFIXES = (".ckpt", ".safetensors")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments to its parser."""
    parser.add_argument("source", help="the file to read: .ckpt or .safetensors")
    parser.add_argument("target", help="the file to write: .ckpt or .safetensors; the same suffix only renames")
    parser.add_argument(
        "--from",
        dest="origin",
        choices=("torch", "mindspore"),
        default="mindspore",
        help="whose names the source has; torch: BatchNorm, LayerNorm and Embedding are renamed to MindSpore's",
    )
    parser.add_argument(
        "--to",
        dest="destination",
        choices=("torch", "mindspore"),
        default="mindspore",
        help="whose names the target shall have",
    )
    parser.add_argument(
        "--rename",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="name one parameter yourself, after all other renaming of its name; an empty NEW leaves it out",
    )
    parser.add_argument("--crc", action="store_true", help="store a CRC-32 in the target")
    parser.add_argument("--skip-strings", action="store_true", help="leave out texts, which safetensors cannot hold")
    parser.add_argument("--force", action="store_true", help="replace the target if it exists")


def run(args: argparse.Namespace) -> int:
    """Convert; prints what was renamed or left out.

    Args:
        args: what `add_arguments` describes.

    Returns:
        0, or 1 after an error, which is printed to stderr.
    """
    try:
        return _convert(args)
    except (OSError, TypeError, ValueError, ImportError, UnsupportedError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _convert(args: argparse.Namespace) -> int:
    for path in (args.source, args.target):
        if not path.endswith(SUFFIXES):
            raise ValueError(f"a file must end in .ckpt or .safetensors, but got {path!r}")
    if os.path.exists(args.target) and not args.force:
        raise FileExistsError(f"the target '{args.target}' exists; --force replaces it")
    own = dict(_pair(text) for text in args.rename)

    def rename(reader: CkptReader | SafetensorsReader) -> dict[str, str | None]:
        unknown = own.keys() - set(reader.names)
        if unknown:
            raise ValueError(f"--rename names parameters that '{args.source}' does not have: {sorted(unknown)}")
        return {**_renamed(reader, args), **own}

    renamed = convert_file(args.source, args.target, rename, api="convert", crc_check=args.crc)
    for old, new in renamed.items():
        if old != new:
            print(f"{old} -> {'left out' if new is None else new}")
    count = sum(new is not None for new in renamed.values())
    print(f"{args.target}: {count} parameters, {os.path.getsize(args.target)} bytes")
    return 0


def _renamed(reader: CkptReader | SafetensorsReader, args: argparse.Namespace) -> dict[str, str | None]:
    shapes = {name: reader.shape(name) for name in reader.names}
    found: dict[str, str | None] = {name: name for name in shapes}
    if args.skip_strings:
        found.update((name, None) for name, shape in shapes.items() if shape is None)
    if args.origin != args.destination:
        wanted = {name: shape for name, shape in shapes.items() if found[name] is not None and shape is not None}
        found.update(names.from_torch(wanted) if args.origin == "torch" else names.to_torch(wanted))
    return found


def _pair(text: str) -> tuple[str, str | None]:
    old, equals, new = text.partition("=")
    if not equals or not old:
        raise ValueError(f"--rename takes OLD=NEW, but got {text!r}")
    return old, new or None
