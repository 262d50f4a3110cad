"""`nn.CTCLoss`: the loss of `ops.ctc_loss` as a Cell."""

from __future__ import annotations

from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_bool, check_int, check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.nn.loss.loss import LossBase
from ms_compat.ops.function.loss.ctc import ctc_loss
from ms_compat.ops.function.shape.views import expand_dims, reshape


def _lengths(name: str, value: Any) -> Any:
    if isinstance(value, (tuple, list, int)):
        return Tensor(value, mstype.int32)
    return check_type("CTCLoss", name, value, Tensor)


@faces("nn nn.loss")
class CTCLoss(LossBase):
    """The negative log likelihood of label sequences under all their alignments with a longer sequence.

    Differs from MindSpore's on CPU: `zero_infinity` is followed.

    Args:
        blank (int): the class that stands for no label.
        reduction (str): "none", "mean" (each loss is divided by its number of labels first) or "sum".
        zero_infinity (bool): whether the loss of impossible alignments is 0 instead of infinite.

    Inputs:
        log_probs (Tensor): [T, N, C] or [T, C], logarithms of probabilities, Float32 or Float64.
        targets (Tensor): [N, S], labels.
        input_lengths, target_lengths (Union[Tensor, tuple, int]): lengths of the sequences.

    Raises:
        TypeError, ValueError: an argument of a wrong type or value.

    >>> import ms_compat as ms
    >>> log_probs = ms.ops.log_softmax(ms.ops.zeros((4, 1, 3)))
    >>> loss = ms.nn.CTCLoss(reduction="none")(log_probs, ms.Tensor([[1, 2]]), ms.Tensor([4]), ms.Tensor([2]))
    >>> round(float(loss), 4)                 # 15 of the 81 sequences collapse to (1, 2)
    1.6864
    """

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction)
        self.blank = check_int("CTCLoss", "blank", blank)
        self.zero_infinity = check_bool("CTCLoss", "zero_infinity", zero_infinity)
        self.reduction = reduction

    def construct(self, log_probs, targets, input_lengths, target_lengths):  # type: ignore[override]
        check_type("CTCLoss", "log_probs", log_probs, Tensor)
        check_type("CTCLoss", "targets", targets, Tensor)
        input_lengths, target_lengths = _lengths("input_lengths", input_lengths), _lengths("target", target_lengths)
        single = len(log_probs.shape) == 2
        if single:
            log_probs, targets = expand_dims(log_probs, 1), reshape(targets, (1, -1))
            input_lengths, target_lengths = (reshape(lengths, (1,)) for lengths in (input_lengths, target_lengths))
        loss, _ = ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity, "CTCLoss"
        )
        return reshape(loss, ()) if single else loss
