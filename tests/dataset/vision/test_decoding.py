"""Files that libjpeg-turbo and OpenCV decode."""

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
WHOLE_JPEG = [name for name in FILES if name.startswith("JPEG ") and FILES[name][1]]
READ = [
    (name, mode, digest)
    for name, entry in replay.load("dataset_decoding.json", "files").items()
    for mode, digest in entry["read"].items()
]


@pytest.mark.parametrize("name", FILES)
def test_files_are_decoded_to_mindspores_pixels(name):
    data, digest = FILES[name]
    if digest is None:
        with pytest.raises(RuntimeError, match="cannot be decoded"):
            vision.Decode()(data)
    else:
        assert dataset_names.digest(vision.Decode()(data)) == digest


@pytest.mark.parametrize(("name", "mode", "digest"), READ)
def test_files_are_read_to_mindspores_pixels(name, mode, digest, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(FILES[name][0].tobytes())
    if digest is None:
        with pytest.raises(RuntimeError, match="cannot be decoded"):
            vision.read_image(str(path), vision.ImageReadMode[mode])
    else:
        assert dataset_names.digest(vision.read_image(str(path), vision.ImageReadMode[mode])) == digest


@pytest.mark.parametrize("name", ["GIF", "WEBP", "TGA", "ICO", "JPEG2000"])
def test_formats_that_only_pillow_has_are_refused_with_the_way_out(name):
    with pytest.raises(RuntimeError, match=rf"it is a {name} file, .* 'Decode\(to_pil=True\)' decodes it"):
        vision.Decode()(FILES[name][0])
    assert vision.Decode(to_pil=True)(FILES[name][0]).mode == "RGB"


@pytest.mark.parametrize("name", WHOLE_JPEG)
def test_pillow_gives_the_pixels_of_whole_jpeg_files(name):
    data = FILES[name][0].tobytes()
    if name.endswith(("an end", "half an end")):
        data = data.removesuffix(b"\xff") + b"\xff\xd9"
    assert (decoding.decode_jpeg(FILES[name][0]) == np.asarray(vision.Decode(to_pil=True)(data))).all()


def test_whole_jpeg_files_never_reach_pillow(monkeypatch):
    monkeypatch.setattr(files, "_open", None)
    for name in WHOLE_JPEG:
        assert vision.Decode()(FILES[name][0]).shape[2] == 3
        assert vision.Decode()(FILES[name][0].tobytes()).shape[2] == 3


def test_data_that_ends_early_is_left_to_pillow_which_refuses_it():
    data = FILES["JPEG 41 x 23 4:2:0"][0].tobytes()
    for cut in range(4, 30):
        assert decoding.decode_jpeg(data[:-cut]) is None
        with pytest.raises(RuntimeError, match="truncated"):
            vision.Decode()(data[:-cut])


def encoded(height, width, **options):
    out = io.BytesIO()
    Image.fromarray(dataset_names.photo(height, width)).save(out, "JPEG", **options)
    return np.frombuffer(out.getvalue(), np.uint8)


KINDS = {
    "4:4:4": {"subsampling": 0},
    "4:2:2": {"subsampling": 1},
    "4:2:0": {"subsampling": 2},
    "restart markers": {"restart_marker_blocks": 3},
    "RGB": {"keep_rgb": True},
    "progressive": {"progressive": True},
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_rows_of_a_file_are_those_of_the_whole(kind):
    data = encoded(90, 60, **KINDS[kind])
    whole, file = decoding.decode_jpeg(data), decoding.JpegFile.parse(data)
    for bottom in range(1, 91):
        rows = file.decode_until(bottom)
        assert len(rows) < 90 or bottom > 90 - 2 * 16 or kind == "progressive"
        assert (rows[:bottom] == whole[:bottom]).all()


def test_heads_with_impossible_sampling_are_left_to_the_decoder():
    data = encoded(90, 60).copy()
    data[data.tobytes().find(b"\xff\xc0") + 11 :: 3][:3] = 0
    assert decoding.JpegFile.parse(data).decode_until(10) is None


def test_pixels_in_scratch_are_overwritten_and_others_are_not():
    first, second = encoded(40, 60), encoded(30, 50, quality=20)
    kept = decoding.decode_jpeg(first)
    passing = decoding.decode_jpeg(first, scratch=True)
    assert (kept == passing).all()
    decoding.decode_jpeg(second, scratch=True)
    assert (kept == decoding.decode_jpeg(first)).all() and not (kept == passing).all()


def test_files_larger_than_the_scratch_memory_have_memory_of_their_own(monkeypatch):
    monkeypatch.setattr(decoding, "_LARGEST_SCRATCH", 100)
    made = [decoding.decode_jpeg(encoded(40, 60), scratch=True) for _ in range(2)]
    assert not np.shares_memory(*made)


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


def test_decompression_bombs_are_refused_before_they_are_decoded(monkeypatch):
    monkeypatch.setattr(decoding.JpegFile, "_decoded", None)
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
