"""`ms-compat convert`: `.ckpt` to safetensors and back, from PyTorch's files, with PyTorch's or flax's names."""

from __future__ import annotations

import argparse
import os
import sys

from ms_compat._core.errors import UnsupportedError
from ms_compat._formats.checkpoint import names
from ms_compat._formats.checkpoint.codec import CkptReader
from ms_compat._formats.checkpoint.convert import TORCH_SUFFIXES, convert_file
from ms_compat._formats.checkpoint.safetensors_file import SafetensorsReader
from ms_compat._formats.checkpoint.torch_zip import TorchReader
from ms_compat._formats.downloads import check_download
from ms_compat.cli._output import about_file, counted

NAME = "convert"
HELP = "convert a checkpoint between .ckpt and .safetensors, and between PyTorch's, flax's and MindSpore's names"
EXAMPLES = """\
  ms-compat convert net.ckpt net.safetensors
  ms-compat convert resnet.pth resnet.ckpt --from torch --rename head.weight=fc.weight
  ms-compat convert net.ckpt net.safetensors --to flax      kernels are transposed, too
"""
SUFFIXES = (".ckpt", ".safetensors")

_LIBRARIES = ("torch", "flax", "mindspore")


class _Refused(Exception):  # it is raised and caught here
    """Arguments that make no sense together; the text says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments to its parser."""
    parser.add_argument("source", help="the file to read: .ckpt, .safetensors, or PyTorch's .pt, .pth, .bin")
    parser.add_argument("target", help="the file to write: .ckpt or .safetensors; the same suffix only renames")
    parser.add_argument(
        "--from",
        dest="origin",
        choices=_LIBRARIES,
        default="mindspore",
        help="whose names the source has; torch: BatchNorm, LayerNorm and Embedding have other names than MindSpore's; "
        "flax: kernels are laid out in another order, too",
    )
    parser.add_argument(
        "--to",
        dest="destination",
        choices=_LIBRARIES,
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
        0, or 2 after an error, which is printed to stderr.
    """
    try:
        return _convert(args)
    except _Refused as error:
        problem = str(error)
    except (TypeError, ValueError, ImportError, UnsupportedError) as error:
        problem = about_file("read", args.source, error)
    except OSError as error:
        place = ("read", args.source) if error.filename == args.source else ("write", args.target)
        problem = about_file(*place, error)
    print(f"ms-compat convert: {problem}", file=sys.stderr)
    return 2


def _convert(args: argparse.Namespace) -> int:
    for path, suffixes in ((args.source, (*SUFFIXES, *TORCH_SUFFIXES)), (args.target, SUFFIXES)):
        if not path.endswith(suffixes):
            known = f"{', '.join(suffixes[:-1])} or {suffixes[-1]}"
            raise _Refused(f"'{path}' must end in {known}")
    if not os.path.getsize(args.source):
        raise ValueError(f"'{args.source}' is empty")
    check_download(args.source)
    if os.path.exists(args.target) and not args.force:
        raise _Refused(f"the target '{args.target}' exists; --force replaces it")
    folder = os.path.dirname(args.target) or "."
    if not os.path.isdir(folder):
        raise _Refused(f"can't write '{args.target}': there is no folder '{folder}'")
    own = dict(_pair(text) for text in args.rename)
    axes: dict[str, tuple[int, ...]] = {}

    def rename(reader: CkptReader | SafetensorsReader | TorchReader) -> dict[str, str | None]:
        unknown = own.keys() - set(reader.names)
        if unknown:
            raise _Refused(f"--rename names parameters that '{args.source}' does not have: {sorted(unknown)}")
        return {**_renamed(reader, args, axes), **own}

    renamed = convert_file(args.source, args.target, rename, api="convert", crc_check=args.crc, axes=axes)
    for old, new in renamed.items():
        if old != new:
            print(f"{old} -> {'left out' if new is None else new}")
    count = sum(new is not None for new in renamed.values())
    print(f"{args.target}: {counted(count, 'parameter')}, {counted(os.path.getsize(args.target), 'byte')}")
    return 0


def _renamed(
    reader: CkptReader | SafetensorsReader | TorchReader, args: argparse.Namespace, axes: dict[str, tuple[int, ...]]
) -> dict[str, str | None]:
    """The new names; `axes` gets the order of those axes that change."""
    shapes = {name: reader.shape(name) for name in reader.names}
    found: dict[str, str | None] = {name: name for name in shapes}
    if args.skip_strings:
        found.update((name, None) for name, shape in shapes.items() if shape is None)
    if args.origin == args.destination:
        return found
    wanted = {name: shape for name, shape in shapes.items() if shape is not None}
    turned: dict[str, tuple[int, ...] | None] = {}
    if args.origin == "torch":
        found.update(names.from_torch(wanted))
    elif args.origin == "flax":
        for name, (new, order) in names.from_flax(wanted).items():
            found[name], turned[name] = new, order
    # By MindSpore's names, of what is kept, to the destination's.
    kept = {new: old for old, new in found.items() if new is not None and old in wanted}
    if args.destination == "torch":
        found.update((kept[name], new) for name, new in names.to_torch(kept).items())
    elif args.destination == "flax":
        for name, (new, order) in names.to_flax({name: wanted[old] for name, old in kept.items()}).items():
            found[kept[name]], turned[kept[name]] = new, order
    axes.update((name, order) for name, order in turned.items() if order is not None)
    return found


def _pair(text: str) -> tuple[str, str | None]:
    old, equals, new = text.partition("=")
    if not equals or not old:
        raise _Refused(f"--rename takes OLD=NEW, but got {text!r}")
    return old, new or None
