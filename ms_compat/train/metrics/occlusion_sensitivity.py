"""`OcclusionSensitivity` is not served."""

from __future__ import annotations

from ms_compat._core.errors import UnsupportedError


class OcclusionSensitivity:
    """Not served: predict occluded copies of the image in one batch and subtract."""

    def __init__(self, pad_val=0.0, margin=2, n_batch=128, b_box=None):
        raise UnsupportedError(
            "mindspore.train.OcclusionSensitivity",
            "Occlude the image in a batch of copies, call the network on it, and subtract from the unoccluded score.",
        )
