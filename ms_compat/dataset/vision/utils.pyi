# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from ms_compat import log as _logger
logger = _logger
from ms_compat._inner.dataset_checks import DecodeParams as DecodeParams
from ms_compat._inner.dataset_checks import VideoFrameDvpp as VideoFrameDvpp
from ms_compat._inner.dataset_checks import check_file as check_file
from ms_compat._inner.dataset_checks import check_value as check_value
from ms_compat._inner.dataset_checks import parse_padding as parse_padding
from ms_compat._inner.dataset_checks import type_check as type_check
from ms_compat._inner.dataset_checks import type_check_list as type_check_list
from ms_compat.dataset.vision.enums import AutoAugmentPolicy as AutoAugmentPolicy
from ms_compat.dataset.vision.enums import Border as Border
from ms_compat.dataset.vision.enums import ConvertMode as ConvertMode
from ms_compat.dataset.vision.enums import ImageBatchFormat as ImageBatchFormat
from ms_compat.dataset.vision.enums import ImageReadMode as ImageReadMode
from ms_compat.dataset.vision.enums import Inter as Inter
from ms_compat.dataset.vision.enums import SliceMode as SliceMode
from ms_compat.dataset.vision.files import encode_jpeg as encode_jpeg
from ms_compat.dataset.vision.files import encode_png as encode_png
from ms_compat.dataset.vision.files import get_image_num_channels as get_image_num_channels
from ms_compat.dataset.vision.files import get_image_size as get_image_size
from ms_compat.dataset.vision.files import read_file as read_file
from ms_compat.dataset.vision.files import read_image as read_image
from ms_compat.dataset.vision.files import write_file as write_file
from ms_compat.dataset.vision.files import write_jpeg as write_jpeg
from ms_compat.dataset.vision.files import write_png as write_png
from ms_compat.dataset.vision.video import VideoDecoder as VideoDecoder
from ms_compat.dataset.vision.video import read_video as read_video
from ms_compat.dataset.vision.video import read_video_timestamps as read_video_timestamps
get_video_backend: Any
mindspore: Any
