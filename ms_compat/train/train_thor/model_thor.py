"""`ModelThor`: a Model whose steps keep the inverses of the optimizer THOR for a while."""

from __future__ import annotations

from ms_compat.nn.wrap.cell_wrapper import TrainOneStepCell
from ms_compat.train.model import Model


class ModelThor(Model):
    """A `Model` in which the first of every `frequency` training steps measures and inverts, and the others do not.

    There are two compiled steps, which the attribute `thor` of layers and optimizer tells apart. As the optimizer's
    documentation says, and other than in MindSpore, that does not depend on `dataset_sink_mode`.

    Args:
        network, loss_fn, optimizer, metrics, eval_network, eval_indexes, amp_level, kwargs: as for `Model`; the
            `optimizer` is one of `nn.thor`, given here or with a `TrainOneStepCell` as the `network`.

    Raises:
        TypeError, ValueError: a wrong argument.
    """

    def __init__(
        self, network, loss_fn=None, optimizer=None, metrics=None, eval_network=None, eval_indexes=None,
        amp_level="O0", **kwargs,
    ):  # fmt: skip
        super().__init__(network, loss_fn, optimizer, metrics, eval_network, eval_indexes, amp_level, **kwargs)
        used = network.optimizer if isinstance(network, TrainOneStepCell) else optimizer
        self._frequency = used.get_frequency()
        self._steps = 0
        self._renews: bool | None = None

    def _run_step(self, batch):
        renews = self._steps % self._frequency == 0
        if renews is not self._renews:
            self._train_network.add_flags_recursive(thor=renews)
            self._renews = renews
        self._steps += 1
        return super()._run_step(batch)
