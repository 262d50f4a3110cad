"""Files that OpenCV decodes."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from ms_compat.dataset import vision
from ms_compat.dataset.vision import decoding, files
from tests.conformance import dataset_names, replay

FILES = {
    name: (np.frombuffer(base64.b64decode(entry["file"]), np.uint8), entry.get("digest"))
    for name, entry in replay.load("dataset_decoding.json", "files").items()
}
# Trailing bytes may hide that the image's own end is missing, so Pillow has these.
BY_OPENCV = [name for name in FILES if name.startswith("JPEG") and not name.endswith(("end", "half of it"))]


@pytest.mark.parametrize("name", FILES)
def test_files_are_decoded_to_mindspores_pixels(name):
    data, digest = FILES[name]
    if digest is None:
        with pytest.raises(RuntimeError, match="cannot be decoded"):
            vision.Decode()(data)
    else:
        assert dataset_names.digest(vision.Decode()(data)) == digest


@pytest.mark.parametrize("name", BY_OPENCV)
def test_pillow_gives_the_pixels_of_whole_jpeg_files(name):
    assert (decoding.decode_jpeg(FILES[name][0]) == np.asarray(vision.Decode(to_pil=True)(FILES[name][0]))).all()


def test_whole_jpeg_files_never_reach_pillow(monkeypatch):
    monkeypatch.setattr(files, "_open", None)
    for name in BY_OPENCV:
        assert vision.Decode()(FILES[name][0]).shape[2] == 3
        assert vision.Decode()(FILES[name][0].tobytes()).shape[2] == 3


def test_rows_of_a_matrix_of_files_are_decoded():
    data = FILES["JPEG 16 x 33 4:2:0"][0]
    apart = np.repeat(data, 2)[::2]
    assert not apart.flags.c_contiguous
    assert (vision.Decode()(apart) == vision.Decode()(data)).all()


def resized(data, height, width):
    """The JPEG file with another size in its head."""
    at = data.tobytes().find(b"\xff\xc0")
    made = data.copy()
    made[at + 5 : at + 9] = [height >> 8, height & 255, width >> 8, width & 255]
    return made


def test_decompression_bombs_are_refused_before_opencv(monkeypatch):
    monkeypatch.setattr(decoding, "_decoded", None)
    for height, width in ((65000, 65000), (0, 9), (9, 0)):
        bomb = resized(FILES["JPEG 16 x 33 4:2:0"][0], height, width)
        assert decoding.decode_jpeg(bomb) is None
        with pytest.raises(RuntimeError, match="decoded"):
            vision.Decode()(bomb)


def test_heads_that_are_cut_off_are_left_to_pillow():
    data = FILES["JPEG 7 x 9 4:4:4"][0].tobytes()
    head = data[: data.find(b"\xff\xc0") + 9]
    for size in range(len(head) + 1):
        assert decoding.decode_jpeg(head[:size] + b"\xff\xd9") is None


def test_four_channels_are_left_to_pillow():
    out = io.BytesIO()
    Image.fromarray(dataset_names.photo(8, 9)).convert("CMYK").save(out, "JPEG")
    assert decoding.decode_jpeg(out.getvalue()) is None
    assert vision.Decode()(out.getvalue()).shape == (8, 9, 3)
