"""Videos: recorded cases, and clips that are written here."""

import sys

import av
import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.dataset import vision
from ms_compat.dataset.vision import video
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def pictures(count):
    y, x = np.mgrid[0:32, 0:48]
    return [np.stack([x * 4 + k, y * 6, x + y + 8 * k], -1).clip(0, 255).astype(np.uint8) for k in range(count)]


@pytest.fixture
def clip(tmp_path):
    path = str(tmp_path / "clip.mp4")
    with av.open(path, "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = 48, 32, "yuv420p", 4_000_000
        for picture in pictures(6):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return path


def test_frames_are_the_written_pictures(clip):
    frames, sound, rates = vision.read_video(clip)
    assert frames.shape == (6, 32, 48, 3) and frames.dtype == np.uint8
    assert sound.shape == (1, 0) and rates == {"video_fps": 25.0}
    assert np.abs(frames.astype(int) - np.stack(pictures(6))).mean() < 3  # compressed
    times, rate = vision.read_video_timestamps(clip, "sec")
    assert np.allclose(times, np.arange(6) / 25) and rate == 25.0
    assert (vision.read_video(clip, 0.07, 0.13, "sec")[0] == frames[2:4]).all()


def test_frames_by_their_number(clip):
    decoder, frames = vision.VideoDecoder(clip), vision.read_video(clip)[0]
    assert decoder.metadata == {
        "width": 48, "height": 32, "duration_seconds": 0.24, "num_frames": 6, "average_fps": 25.0,
    }  # fmt: skip
    assert (decoder.get_frames_at([4, 0, 4]) == frames[[4, 0, 4]]).all()
    assert decoder.get_frames_at([]).shape == (0,)
    for wrong, error in (([6], ValueError), ([-1], ValueError), ([1.0], TypeError), (1, TypeError)):
        with pytest.raises(error):
            decoder.get_frames_at(wrong)


def test_a_pipeline_decodes_videos(clip):
    data = ds.GeneratorDataset([np.fromfile(clip, np.uint8)], ["video"])
    data = data.map(vision.DecodeVideo(), ["video"], ["frames", "sound"])
    (row,) = data.create_dict_iterator(num_epochs=1, output_numpy=True)
    assert (row["frames"] == vision.read_video(clip)[0]).all() and row["sound"].shape == (1, 0)


def test_a_damaged_video_is_an_error(clip, tmp_path):
    with open(clip, "rb") as file:
        half = file.read()[:200]
    (tmp_path / "half.mp4").write_bytes(half)
    with pytest.raises(RuntimeError, match="cannot be read as a video"):
        vision.read_video(str(tmp_path / "half.mp4"))


def test_a_stream_whose_frames_change_their_size_is_an_error(clip, monkeypatch):
    monkeypatch.setattr(video.np, "stack", lambda parts: np.vstack([np.zeros((1, 2)), np.zeros((1, 3))]))
    with pytest.raises(RuntimeError, match="frames differ in size"):
        vision.read_video(clip)


def test_without_the_package_the_error_names_the_extra(clip, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(ImportError, match=r"pip install 'ms-compat\[video\]'"):
        vision.read_video(clip)
