"""`ConvertModelUtils`: turns a Model into one that trains with the optimizer THOR."""

from __future__ import annotations

from ms_compat._core.faces import faces
from ms_compat.nn.layer.thor_convert import ConvertNetUtils as ConvertNetUtils
from ms_compat.nn.optim.second_order import ThorGpu
from ms_compat.nn.wrap.cell_wrapper import TrainOneStepCell
from ms_compat.train.train_thor.model_thor import ModelThor


@faces("train")
class ConvertModelUtils:
    """Turns a Model into one that measures and inverts what the optimizer THOR needs in one step of `frequency`."""

    @staticmethod
    def convert_to_thor_model(
        model, network, loss_fn=None, optimizer=None, metrics=None, amp_level="O0", loss_scale_manager=None,
        keep_batchnorm_fp32=False,
    ):  # fmt: skip
        """Make a Model for the optimizer THOR.

        Args:
            model (Model): the Model so far.
            network (Cell): the network, or a whole `nn.TrainOneStepCell`, for which no other argument counts but
                `optimizer`.
            loss_fn, optimizer, metrics, amp_level, loss_scale_manager, keep_batchnorm_fp32: as for `Model`.

        Returns:
            A new Model if `optimizer` was made by `nn.thor`, else `model`.

        Raises:
            TypeError, ValueError: a wrong argument of `Model`.

        >>> import ms_compat as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 2))
        >>> rate = ms.Tensor([0.1, 0.1])
        >>> optimizer = ms.nn.thor(net, rate, rate, 0.9, frequency=5)
        >>> model = ms.train.Model(net, ms.nn.MSELoss(), optimizer)
        >>> model = ms.train.ConvertModelUtils.convert_to_thor_model(model, net, ms.nn.MSELoss(), optimizer)
        >>> type(model).__name__
        'ModelThor'
        """
        if not isinstance(optimizer, ThorGpu):
            return model
        if isinstance(network, TrainOneStepCell):
            return ModelThor(network)
        return ModelThor(
            network, loss_fn, optimizer, metrics, amp_level=amp_level, loss_scale_manager=loss_scale_manager,
            keep_batchnorm_fp32=keep_batchnorm_fp32,
        )  # fmt: skip
