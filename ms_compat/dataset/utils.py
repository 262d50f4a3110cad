"""`mindspore.dataset.utils`: the lines of a file by number, and pictures with boxes."""

import os
import sys
from typing import IO, Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.dataset._support.arguments import check_int_range, check_type
from ms_compat.dataset.vision.opencv import opencv

_ESCAPE = 27


@faces("dataset")
class LineReader:
    """Reads any line of a text file without reading those before it.

    Args:
        filename: the file; UTF-8.

    Raises:
        TypeError: if it is not a str.
        RuntimeError: if there is no such file.
    """

    def __init__(self, filename: str) -> None:
        self._file: IO[bytes] | None = None
        if not os.path.isfile(check_type("LineReader", "filename", filename, str)):
            raise RuntimeError(f"For 'LineReader', the 'filename' must be a file that exists, but got {filename!r}.")
        self.filename = os.path.realpath(filename)
        self.offsets = [0]
        with open(self.filename, "rb") as file:
            for line in file:
                self.offsets.append(self.offsets[-1] + len(line))
        self.offsets.pop()

    def readline(self, line: int) -> str:
        """A line, without its line break.

        Args:
            line: its number, from 1 on.

        Raises:
            TypeError: if it is not an int.
            ValueError: if there is no such line.
        """
        check_int_range("LineReader.readline", "line", line, 1, len(self.offsets))
        if self._file is None:
            self._file = open(self.filename, "rb")  # kept open until `close`
        self._file.seek(self.offsets[line - 1])
        with reading("LineReader", self.filename):
            line_text = self._file.readline().decode()
        return line_text.removesuffix("\n").removesuffix("\r")

    def __getitem__(self, line: int) -> str:
        return self.readline(line)

    def __len__(self) -> int:
        return len(self.offsets)

    def len(self) -> int:
        """The number of lines."""
        return self.__len__()

    def close(self) -> None:
        """Closes the file; the next `readline` opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        self.close()


@faces("dataset")
def imshow_det_bbox(
    image: np.ndarray,
    bboxes: np.ndarray | None,
    labels: np.ndarray | None,
    segm: np.ndarray | None = None,
    class_names: Any = None,
    score_threshold: float = 0,
    bbox_color: tuple[int, int, int] = (0, 255, 0),
    text_color: tuple[int, int, int] = (203, 192, 255),
    mask_color: tuple[int, int, int] = (128, 0, 128),
    thickness: int = 2,
    font_size: float = 0.8,
    show: bool = True,
    win_name: str = "win",
    wait_time: int = 2000,
    out_file: str | None = None,
) -> np.ndarray:
    """Draws boxes, labels and masks into a picture; shows it, or writes it to a file.

    Args:
        image: RGB of uint8, shape (H, W, 3) or (3, H, W).
        bboxes: shape (N, 4), of x, y, width and height, or (N, 5) with a score; None draws masks alone.
        labels: the class numbers, shape (N, 1).
        segm: masks, shape (M, H, W) with M >= N; None draws none.
        class_names: a list, tuple or dict with the class names by number; others are called "class" and the number.
        score_threshold: boxes with a lower score are left out.
        bbox_color: the boxes' colour, as (blue, green, red).
        text_color: the labels' colour, likewise.
        mask_color: the masks' colour, likewise.
        thickness: of lines, in pixels.
        font_size: a factor.
        show: whether to open a window, which needs a screen and OpenCV with windows (`opencv-python`).
        win_name: the window's name.
        wait_time: how long the window waits for a key, in ms; Escape ends the program.
        out_file: a file to write, by its extension; needed without `show`.

    Returns:
        The picture, BGR of shape (H, W, 3).

    Raises:
        AssertionError: for an argument of another type, shape or value, as in MindSpore.

    >>> picture = np.zeros((40, 60, 3), np.uint8)
    >>> boxes, labels = np.array([[5, 5, 20, 20]]), np.array([[1]])
    >>> drawn = imshow_det_bbox(picture, boxes, labels, class_names=["cat", "dog"], show=False, out_file="drawn.png")
    >>> drawn[5, 10].tolist()
    [0, 255, 0]
    """
    _check_drawing(image, bboxes, labels, segm)
    for name, given, kinds in (
        ("class_names", class_names, (tuple, list, dict)),
        ("thickness", thickness, int),
        ("font_size", font_size, (int, float)),
        ("show", show, bool),
        ("win_name", win_name, str),
        ("wait_time", wait_time, int),
        ("out_file", out_file, (str, type(None))),
    ):
        _require(isinstance(given, kinds), f"the '{name}' has the wrong type: {type(given).__name__}")
    for name, color in (("bbox_color", bbox_color), ("text_color", text_color), ("mask_color", mask_color)):
        _require(isinstance(color, tuple) and len(color) == 3, f"the '{name}' must be a tuple (blue, green, red)")
    _require(min(thickness, font_size, wait_time) >= 0, "'thickness', 'font_size' and 'wait_time' must be >= 0")
    scored = bboxes is not None and bboxes.shape[1] == 5
    _require(scored or score_threshold <= 0, "a 'score_threshold' needs 'bboxes' of shape (N, 5)")
    _require(show or out_file is not None, "without 'show', an 'out_file' is needed")
    cv2 = opencv()
    drawn = cv2.cvtColor(image.transpose(1, 2, 0) if image.shape[0] == 3 else image, cv2.COLOR_RGB2BGR)
    drawn_ones = segm if bboxes is None else bboxes
    count = 0 if drawn_ones is None else len(drawn_ones)
    for k in range(count):
        if bboxes is not None and labels is not None:
            box = bboxes[k]
            if scored and box[4] < score_threshold:
                continue
            left, bottom = int(box[0]), int(box[1] + box[3])
            cv2.rectangle(drawn, (left, int(box[1])), (int(box[0] + box[2]), bottom), bbox_color, thickness)
            text = _class_name(class_names, labels[k][0]) + (f"|{box[-1]:.02f}" if scored else "")
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(drawn, text, (left, bottom), font, font_size, text_color, thickness)
        if segm is not None:
            mask = segm[k].astype(bool)
            drawn[mask] = drawn[mask] * 0.5 + np.array(mask_color) * 0.5
    if show:
        cv2.imshow(win_name, drawn)
        if cv2.waitKey(wait_time) == _ESCAPE:
            sys.exit()
    if out_file:
        cv2.imwrite(out_file, drawn)
        os.chmod(out_file, 0o600)
    return drawn


def _class_name(names: Any, number: Any) -> str:
    try:
        return str(names[number])
    except (IndexError, KeyError):
        return f"class {number}"


def _check_drawing(image: Any, bboxes: Any, labels: Any, segm: Any) -> None:
    _require(
        isinstance(image, np.ndarray) and image.ndim == 3 and 3 in (image.shape[0], image.shape[2]),
        "the 'image' must be an array of shape (H, W, 3) or (3, H, W)",
    )
    if bboxes is not None:
        _require(
            isinstance(bboxes, np.ndarray) and bboxes.ndim == 2 and bboxes.shape[1] in (4, 5),
            "the 'bboxes' must be an array of shape (N, 4) or (N, 5)",
        )
        _require(
            isinstance(labels, np.ndarray) and labels.shape == (len(bboxes), 1),
            "the 'labels' must be an array of shape (N, 1), with the N of 'bboxes'",
        )
    if segm is not None:
        height, width = image.shape[:2] if image.shape[2] == 3 else image.shape[1:]
        _require(
            isinstance(segm, np.ndarray) and segm.ndim == 3 and segm.shape[1:] == (height, width),
            "the 'segm' must be an array of shape (M, H, W), with the image's H and W",
        )
        _require(bboxes is None or len(bboxes) <= len(segm), "the 'segm' must have a mask for each box")


def _require(fine: bool, what: str) -> None:
    if not fine:
        raise AssertionError(f"For 'imshow_det_bbox', {what}.")


__getattr__ = unsupported_getattr(__name__)
