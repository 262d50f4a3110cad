"""Videos, by FFmpeg: `read_video`, `read_video_timestamps`, `VideoDecoder`, `DecodeVideo`.

PyAV, of the extra `video`, holds FFmpeg's libraries. Sound is equal to MindSpore's; colours differ by at most 3 levels,
because FFmpeg's conversion from YUV rounds otherwise in other builds.
"""

import contextlib
import io
import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.diagnostics.extras import needed
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.transforms.base import Transform

_UNITS = ("pts", "sec")


@contextlib.contextmanager
def _opened(api: str, source: Any, shown: str) -> Iterator[Any]:
    """FFmpeg's container of a file or a buffer.

    Raises:
        RuntimeError: if it is not a video, or is damaged.
        ImportError: if PyAV is not installed.
    """
    av = needed("av", "video", f"'mindspore.dataset.vision.{api}'")
    try:
        with av.open(source) as container:
            yield container
    except (av.FFmpegError, OSError, EOFError, UnicodeDecodeError) as error:
        raise RuntimeError(f"For '{api}', {shown} cannot be read as a video: {error}") from error


def _frames(container: Any, low: float, high: float) -> tuple[np.ndarray, slice]:
    """The frames (T, H, W, 3) between two timestamps, and which part of all frames that is, in [0, 1]."""
    stream, kept, total, first = container.streams.video[0], [], 0, 0
    for frame in container.decode(stream):
        if frame.pts is not None and low <= frame.pts <= high:
            kept.append(frame.to_ndarray(format="rgb24"))
        elif not kept:
            first += 1
        total += 1
    shape = (0, stream.height, stream.width, 3)
    part = slice(Fraction(first, max(total, 1)), Fraction(first + len(kept), max(total, 1)))
    return _joined(np.stack, kept) if kept else np.zeros(shape, np.uint8), part


def _sound(container: Any) -> np.ndarray:
    """All samples (channels, L) in the dtype of the codec."""
    if not container.streams.audio:
        return np.zeros((1, 0), np.float32)
    parts = []
    for frame in container.decode(audio=0):
        samples, channels = frame.to_ndarray(), frame.layout.nb_channels
        parts.append(samples if frame.format.is_planar else samples.reshape(-1, channels).T)
    return _joined(np.hstack, parts) if parts else np.zeros((1, 0), np.float32)


def _joined(join: Callable, parts: list[np.ndarray]) -> np.ndarray:
    """A stream's frames or samples as one array; damage may change their sizes within it."""
    try:
        return join(parts)
    except ValueError as error:
        raise EOFError("its frames differ in size") from error


def _read(api: str, make: Any, shown: str, bounds: Any = None) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Frames, samples and rates; `make` opens the source anew, `bounds` gives timestamps for a stream's time base."""
    rates: dict[str, Any] = {}
    with _opened(api, make(), shown) as container:
        if not container.streams.video:
            raise RuntimeError(f"For '{api}', {shown} has no video stream.")
        stream = container.streams.video[0]
        low, high = (0, float("inf")) if bounds is None else bounds(stream.time_base)
        rate = stream.average_rate
        frames, part = _frames(container, low, high)
    with _opened(api, make(), shown) as container:
        sound = _sound(container)
        if container.streams.audio:
            rates["audio_fps"] = container.streams.audio[0].rate
    if rate is not None:
        rates["video_fps"] = float(rate)
    # As in MindSpore, the sound is cut at the same parts of its length as the frames.
    length = sound.shape[1]
    return frames, sound[:, int(length * part.start) : int(length * part.stop)], rates


def _check_file(api: str, filename: Any, error: type[Exception]) -> str:
    check_type(api, "filename", filename, str)
    if not os.path.isfile(filename):
        raise error(f"For '{api}', the 'filename' must be a file that exists, but got {filename!r}.")
    return filename


@faces("dataset.vision dataset.vision.utils")
def read_video(
    filename: str, start_pts: float | Fraction = 0, end_pts: float | Fraction | None = None, pts_unit: str = "pts"
) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Reads a video's frames, sound and rates.

    Args:
        filename: the file, of any format that FFmpeg knows.
        start_pts: the timestamp of the first frame.
        end_pts: the timestamp of the last frame; None reads to the end.
        pts_unit: "pts" for the stream's own timestamps, "sec" for seconds.

    Returns:
        The frames (T, H, W, 3) of uint8, the samples (channels, L) of the codec's dtype, and a dict with "video_fps"
        and, with sound, "audio_fps".

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such file or unit, or the times are not in order.
        RuntimeError: if the file is not a video.
        ImportError: if PyAV is not installed.
    """
    api = "read_video"
    check_type(api, "start_pts", start_pts, (float, Fraction, int))
    if start_pts < 0:
        raise value_error(api, "start_pts", ">= 0", start_pts)
    end = float("inf") if end_pts is None else check_type(api, "end_pts", end_pts, (float, Fraction, int))
    if end < start_pts:
        raise value_error(api, "end_pts", f">= start_pts ({start_pts})", end_pts)
    check_choice(api, "pts_unit", check_type(api, "pts_unit", pts_unit, str), _UNITS)
    _check_file(api, filename, ValueError)

    def bounds(base: Fraction) -> tuple[float, float]:
        scale = 1 / float(base) if pts_unit == "sec" else 1
        return int(float(start_pts) * scale), end if end == float("inf") else int(float(end) * scale)

    return _read(api, lambda: filename, repr(filename), bounds)


@faces("dataset.vision dataset.vision.utils")
def read_video_timestamps(filename: str, pts_unit: str = "pts") -> tuple[list[Any], float | None]:
    """Reads the timestamps of a video's frames, and the frames per second.

    Args:
        filename: the file.
        pts_unit: "pts" for the stream's own timestamps (int), "sec" for seconds.

    Returns:
        The timestamps in order, and the rate; None without frames.

    Raises:
        TypeError: for an argument of another type.
        RuntimeError: if there is no such file or unit, or the file is not a video.
        ImportError: if PyAV is not installed.
    """
    api = "read_video_timestamps"
    check_type(api, "pts_unit", pts_unit, str)
    _check_file(api, filename, RuntimeError)
    if pts_unit not in _UNITS:
        raise RuntimeError(f"For '{api}', the 'pts_unit' must be one of {list(_UNITS)}, but got {pts_unit!r}.")
    with _opened(api, filename, repr(filename)) as container:
        if not container.streams.video:
            raise RuntimeError(f"For '{api}', {filename!r} has no video stream.")
        stream = container.streams.video[0]
        found = sorted(packet.pts for packet in container.demux(stream) if packet.pts is not None)
        base, rate = stream.time_base, stream.average_rate
    if not found:
        return [], None
    if pts_unit == "sec":
        # MindSpore's time base is a float32.
        found = [pts * float(np.float32(float(base))) for pts in found]
    return found, float(rate)


@faces("dataset.vision dataset.vision.utils")
class VideoDecoder:
    """Describes a video, and reads frames by their number.

    Args:
        source: the file.

    Raises:
        TypeError: if it is not a str.
        ValueError: if there is no such file.
    """

    def __init__(self, source: str) -> None:
        check_type("VideoDecoder", "source", source, str)
        if not os.path.isfile(source):
            raise value_error("VideoDecoder", "source", "a file that exists", source)
        self.source = source
        self._metadata = self.metadata

    @property
    def metadata(self) -> dict[str, Any]:
        """The width, height, duration in seconds, number of frames and frames per second.

        Raises:
            RuntimeError: if the file is not a video.
        """
        with _opened("VideoDecoder", self.source, repr(self.source)) as container:
            if not container.streams.video:
                raise RuntimeError(f"For 'VideoDecoder', {self.source!r} has no video stream.")
            stream = container.streams.video[0]
            return {
                "width": stream.width,
                "height": stream.height,
                "duration_seconds": round(float(stream.duration * stream.time_base), 6),
                "num_frames": stream.frames,
                "average_fps": float(stream.average_rate),
            }

    def get_frames_at(self, indices: list[int]) -> np.ndarray:
        """Reads frames by their number, which MindSpore does on Ascend only.

        Args:
            indices: a list of numbers in [0, num_frames).

        Returns:
            The frames (T, H, W, 3) of uint8, in the order of the list.

        Raises:
            TypeError: if it is not a list of int.
            ValueError: if there is no such frame.
            RuntimeError: if the file is damaged.
        """
        api = "VideoDecoder.get_frames_at"
        for k, index in enumerate(check_type(api, "indices", indices, list)):
            if not 0 <= check_type(api, f"indices[{k}]", index, int) < self._metadata["num_frames"]:
                raise value_error(api, f"indices[{k}]", f"int in range [0, {self._metadata['num_frames']})", index)
        if not indices:
            return np.empty(0, np.uint8)
        wanted, found = set(indices), {}
        with _opened(api, self.source, repr(self.source)) as container:
            for number, frame in enumerate(container.decode(video=0)):
                if number in wanted:
                    found[number] = frame.to_ndarray(format="rgb24")
                if len(found) == len(wanted):
                    break
        missing = sorted(wanted - set(found))
        if missing:
            raise RuntimeError(f"For '{api}', {self.source!r} has no frame {missing[0]}.")
        return _joined(np.stack, [found[index] for index in indices])


@faces("dataset.vision")
class DecodeVideo(Transform):
    """Decodes a video file's bytes to its frames and its sound: two columns for one.

    The frames are (T, H, W, 3) of uint8, the samples (channels, L) of the codec's dtype.

    Raises:
        RuntimeError: when called, if the input is not a vector of uint8 with a video.
        ImportError: when called, if PyAV is not installed.
    """

    def _apply(self, array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if array.dtype != np.uint8 or array.ndim != 1 or not array.size:
            raise RuntimeError(
                f"For 'DecodeVideo', the input must be a vector of uint8, but got {array.dtype} of shape {array.shape}."
            )
        data = array.tobytes()
        frames, sound, _ = _read("DecodeVideo", lambda: io.BytesIO(data), "the input")
        return frames, sound
