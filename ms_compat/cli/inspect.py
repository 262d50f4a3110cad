"""`ms-compat inspect`: what a file of parameters holds."""

import argparse
import difflib
import fnmatch
import math
import sys
import zipfile
from typing import Any

import numpy as np

from ms_compat._core.errors import UnsupportedError
from ms_compat._formats import contents
from ms_compat.cli._output import about_file, can_print, counted, print_json, print_table

NAME = "inspect"
HELP = "show the parameters of a file: names, shapes, dtypes, bytes, statistics, histograms"
EXAMPLES = """\
  ms-compat inspect net.ckpt                also .safetensors, .mindir, .onnx, .stablehlo, .npz, .npy, .pt and .pth
  ms-compat inspect net.ckpt --only '*.bias' --sort bytes
  ms-compat inspect net.safetensors --no-stats --json
"""
_BARS, _PLAIN_BARS = "▁▂▃▄▅▆▇█", ".:-=+*#@"
# The columns that a narrow terminal omits, in this order.
_STORED = ("name", "shape", "dtype", "bytes")
_COLUMNS = (*_STORED, "min", "max", "mean", "std", "zeros", "histogram", "note")
_OPTIONAL = ("histogram", "std", "mean", "zeros", "max", "min", "bytes", "dtype", "shape")
_BINS = 16
_CHUNK = 1 << 19  # elements at a time; each takes a copy in Float64, and several more
_LARGEST = 8 << 30  # bytes of one parameter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("file", help="a checkpoint, a graph, or a file of arrays; nothing in it is executed")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="the names to show, such as 'encoder.*'")
    parser.add_argument("--sort", choices=("file", "name", "bytes"), default="file", help="the order")
    parser.add_argument("--no-stats", action="store_true", help="do not read the values: quick for large files")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the table; returns 1 if weights are NaN or infinite, 2 if the file cannot be read or no name fits.

    Constants of a graph may be, such as a mask of -inf.
    """
    try:
        with contents.opened(args.file) as held:
            return _show(held, args)
    except BrokenPipeError:
        raise
    except (OSError, ValueError, RuntimeError, UnsupportedError, zipfile.BadZipFile) as error:
        print(f"ms-compat inspect: {about_file('read', args.file, error)}", file=sys.stderr)
        return 2


def _show(held: contents.Contents, args: argparse.Namespace) -> int:
    chosen = [entry for entry in held.entries if fnmatch.fnmatchcase(entry.name, args.only)]
    if held.entries and not chosen:
        print(f"ms-compat inspect: {_unmatched(args.only, [entry.name for entry in held.entries])}", file=sys.stderr)
        return 2
    if args.sort == "name":
        chosen.sort(key=lambda entry: entry.name)
    elif args.sort == "bytes":
        chosen.sort(key=lambda entry: -entry.nbytes)
    described = [_described(entry, not args.no_stats) for entry in chosen]
    elements = sum(math.prod(item["shape"]) for item in described)
    size = sum(item["bytes"] for item in described)
    weights = [item for item, entry in zip(described, chosen, strict=True) if not entry.is_constant]
    wrong = [item["name"] for item in weights if item.get("nan") or item.get("infinite")]
    if args.json:
        whole = {"parameters": len(described), "elements": elements, "bytes": size}
        print_json({"file": args.file, "format": held.format, **whole, **held.more, "entries": described})
    else:
        rows = [_row(item) for item in described]
        columns = [name for name in _COLUMNS if name in _STORED or any(row[name] for row in rows)]
        values = [[row[name] for name in columns] for row in rows]
        print_table(f"{args.file}: {held.format}", columns, values, optional=[c for c in _OPTIONAL if c in columns])
        counts = [counted(len(described), "parameter"), counted(elements, "element"), counted(size, "byte")]
        print(", ".join(counts))
        for name, value in held.more.items():
            text = ", ".join(f"{k}: {v}" for k, v in value.items()) if isinstance(value, dict) else value
            print(f"{name}: {text}")
    for name in wrong:
        print(f"ms-compat inspect: '{name}' has values that are NaN or infinite", file=sys.stderr)
    return int(bool(wrong))


def _described(entry: contents.StoredArray, with_values: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": entry.name,
        "shape": list(entry.shape),
        "dtype": entry.dtype,
        "bytes": entry.nbytes,
    }
    if entry.note:
        told["note"] = entry.note
    if with_values and entry.nbytes > _LARGEST:
        told["note"] = "too large for statistics"
    elif with_values and entry.read is not None:
        told |= statistics(entry.read())
    return told


def statistics(values: np.ndarray) -> dict[str, Any]:
    """Least, greatest, mean, standard deviation, zeros, NaN and infinities, and the counts of a histogram.

    Complex numbers count by their magnitude; numbers that are not finite are counted and left out of the rest.

    >>> told = statistics(np.array([1.0, 3.0, np.nan]))
    >>> told["mean"], told["std"], told["nan"], sum(told["histogram"])
    (2.0, 1.0, 1, 2)
    """
    flat = values.reshape(-1)
    pieces = range(0, flat.size, _CHUNK)

    def finite(start: int) -> np.ndarray:
        piece = flat[start : start + _CHUNK]
        piece = np.abs(piece) if piece.dtype.kind == "c" else piece.astype(np.float64)
        return piece[np.isfinite(piece)]

    nan = infinite = zeros = count = 0
    total, least, greatest = 0.0, math.inf, -math.inf
    for start in pieces:
        numbers = flat[start : start + _CHUNK]
        numbers = np.abs(numbers) if numbers.dtype.kind == "c" else numbers.astype(np.float64)
        nan += int(np.isnan(numbers).sum())
        infinite += int(np.isinf(numbers).sum())
        kept = finite(start)
        if kept.size:
            zeros += int((kept == 0).sum())
            count += kept.size
            total += float(kept.sum())
            least, greatest = min(least, float(kept.min())), max(greatest, float(kept.max()))
    if not count:
        return {"nan": nan, "infinite": infinite}
    mean = total / count
    scale = max(abs(least), abs(greatest)) or 1.0  # squares of the largest numbers would be infinite
    squares, histogram = 0.0, np.zeros(_BINS, np.int64)
    # Bins of one number alone would have no width; bins of the largest numbers would be too wide for a float.
    low, high = (least - 0.5, greatest + 0.5) if least == greatest else (least / 2, greatest / 2)
    for start in pieces:
        kept = finite(start)
        squares += float(((kept / scale - mean / scale) ** 2).sum())
        halves = kept if least == greatest else kept / 2
        histogram += np.histogram(halves, _BINS, (low, high))[0] if high > low else 0
    return {
        "min": least, "max": greatest, "mean": mean, "std": math.sqrt(squares / count) * scale, "zeros": zeros,
        "nan": nan, "infinite": infinite, "histogram": histogram.tolist(),
    }  # fmt: skip


def sparkline(counts: list[int]) -> str:
    """Counts as bars; an empty bin is a blank, and the least bar stands for one that is not empty.

    >>> sparkline([0, 1, 4, 8])
    ' ▁▄█'
    """
    most, bars = max(counts, default=0), _BARS if can_print(_BARS) else _PLAIN_BARS
    return "".join(bars[max(math.ceil(count / most * len(bars)) - 1, 0)] if count else " " for count in counts)


def _row(item: dict[str, Any]) -> dict[str, object]:
    shape = "x".join(map(str, item["shape"])) or ("" if "note" in item else "number")
    numbers = {key: f"{item[key]:.4g}" if key in item else "" for key in ("min", "max", "mean", "std")}
    elements = math.prod(item["shape"])
    zeros = f"{item['zeros'] / elements:.0%}" if item.get("zeros") else ""
    odd = [f"{item[key]} {key}" for key in ("nan", "infinite") if item.get(key)]
    return {
        "name": item["name"],
        "shape": shape,
        "dtype": item["dtype"],
        "bytes": item["bytes"],
        **numbers,
        "zeros": zeros,
        "histogram": sparkline(item["histogram"]) if "histogram" in item else "",
        "note": " ".join([*odd, item.get("note", "")]).strip(),
    }


def _unmatched(pattern: str, names: list[str]) -> str:
    close = difflib.get_close_matches(pattern, names, 1) or [name for name in names if pattern.strip("*") in name][:1]
    return f"--only '{pattern}' matches none of the {counted(len(names), 'name')}, such as '{(close or names)[0]}'"
