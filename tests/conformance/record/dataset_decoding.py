"""Records what MindSpore's `Decode` and `read_image` make of image files of many kinds, whole and damaged.

Run with an interpreter that has MindSpore: `python -m tests.conformance.record.dataset_decoding` writes
`tests/conformance/data/dataset_decoding.json`, with the files themselves, since encoders differ by version.
"""

import base64
import contextlib
import io
import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np

from tests.conformance import dataset_names
from tests.conformance.record import tensor_runner

SIZES = ((1, 1), (7, 9), (16, 33), (41, 23))


def _png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of_16_bits(height, width, channels):
    """A PNG of 16 bits a channel, which Pillow writes for one channel only."""
    numbers = (np.arange(height * width * channels) * 1237 % 65536).astype(">u2").reshape(height, -1)
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    lines = b"".join(b"\0" + line.tobytes() for line in numbers)
    head = _png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, kind, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + _png_chunk(b"IDAT", zlib.compress(lines)) + _png_chunk(b"IEND", b"")


def files():
    """The files by name."""
    from PIL import Image

    made = {}

    def add(name, image, kind, **options):
        out = io.BytesIO()
        image.save(out, kind, **options)
        made[name] = out.getvalue()

    for height, width in SIZES:
        picture, size = Image.fromarray(dataset_names.photo(height, width)), f"{height} x {width}"
        for number, sampling in enumerate(("4:4:4", "4:2:2", "4:2:0")):
            add(f"JPEG {size} {sampling}", picture, "JPEG", subsampling=number, quality=(30, 75, 95)[number])
        add(f"JPEG {size} progressive", picture, "JPEG", progressive=True)
        add(f"JPEG {size} with restart markers", picture, "JPEG", restart_marker_blocks=2)
        add(f"JPEG {size} of RGB", picture, "JPEG", keep_rgb=True)
        add(f"JPEG {size} of one channel", picture.convert("L"), "JPEG")
    picture = Image.fromarray(dataset_names.photo(20, 30))
    turned = Image.Exif()
    turned[0x112] = 6
    add("JPEG turned by EXIF", picture, "JPEG", exif=turned)
    add("PNG turned by EXIF", picture, "PNG", exif=turned)
    alpha = np.dstack([np.asarray(picture), np.arange(600).reshape(20, 30) % 256]).astype(np.uint8)
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA"):
        add(f"PNG {mode}", Image.fromarray(alpha).convert(mode), "PNG")
    for mode in ("1", "L", "P", "RGB"):
        add(f"BMP {mode}", picture.convert(mode), "BMP")
    add("TIFF RGBA", Image.fromarray(alpha), "TIFF")
    for mode in ("1", "L", "RGB"):
        add(f"PPM {mode}", picture.convert(mode), "PPM")
    for kind in ("GIF", "WEBP", "TGA", "ICO", "JPEG2000"):
        add(kind, picture, kind)
    add("TIFF of floats", Image.fromarray(np.arange(600, dtype=np.float32).reshape(20, 30)), "TIFF")
    add("TIFF of 16 bits", Image.fromarray((np.arange(600).reshape(20, 30) * 109 % 65536).astype(np.uint16)), "TIFF")
    for channels in (1, 2, 3, 4):
        made[f"PNG of 16 bits, channels {channels}"] = png_of_16_bits(9, 7, channels)
    add("whole", picture, "JPEG")
    whole, png = made.pop("whole"), made["PNG RGB"]
    made["JPEG with bytes after its end"] = whole + b"more"
    add("large", Image.fromarray(dataset_names.photo(96, 128)), "JPEG")
    large = made.pop("large")
    add("progressive", picture, "JPEG", progressive=True)
    for name, file in (("JPEG", whole), ("progressive JPEG", made.pop("progressive"))):
        made[f"{name} without an end"], made[f"{name} with half an end"] = file[:-2], file[:-1]
    made["JPEG, half of it"] = large[: len(large) // 2]  # MindSpore aborts the process for a file cut in its head
    made["PNG, half of it"] = png[: len(png) // 2]
    made["PNG without an end"] = png[:-14]
    made["PNG with another checksum"] = png[:30] + bytes([png[30] ^ 4]) + png[31:]
    made["no image"] = b"These are letters."
    return made


def decoded(vision, data):
    """The file, and what MindSpore makes of it."""
    entry = {"file": base64.b64encode(data).decode()}
    try:
        entry["digest"] = dataset_names.digest(vision.Decode()(np.frombuffer(data, np.uint8)))
    except Exception as error:
        entry["error"] = type(error).__name__
    Path("file").write_bytes(data)
    entry["read"] = {}
    for mode in vision.ImageReadMode:
        try:
            entry["read"][mode.name] = dataset_names.digest(vision.read_image("file", mode))
        except Exception:
            entry["read"][mode.name] = None
    return entry


def main():
    import mindspore.dataset.vision as vision

    path, found = Path(__file__).resolve().parents[1] / "data" / "dataset_decoding.json", {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # MindSpore writes files that it refuses
        for name, data in files().items():
            found[name] = decoded(vision, data)
    tensor_runner.write(path, {"files": found})


if __name__ == "__main__":
    main()
