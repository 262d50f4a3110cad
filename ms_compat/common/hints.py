"""Hints to the compiler: `recompute` of one call, and those that XLA does not need."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from ms_compat._core.errors import check_bool, check_type

logger = logging.getLogger("ms_compat")


def recompute(
    block: Any, *args: Any, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None, **kwargs: Any
) -> Any:
    """Calls a Cell so that its activations are computed again in the backward pass; see `Cell.recompute`.

    Args:
        block (Cell): the Cell; the mark is permanent.
        *args, **kwargs: the call's arguments.
        use_reentrant, output_recompute, early_stop, context_fn: as in `Cell.recompute`.

    Returns:
        The Cell's result.

    Raises:
        TypeError: `block` is not a Cell.
    """
    from ms_compat.nn.cell import Cell

    check_type("recompute", "block", block, Cell)
    if not block.__dict__.get("_recompute"):
        block.recompute(
            use_reentrant=use_reentrant,
            output_recompute=output_recompute,
            early_stop=early_stop,
            context_fn=context_fn,
        )
    return block(*args, **kwargs)


class _RecomputeBlock:
    """`ops.recompute_block(block, output_recompute)(*args)`: a call that the backward pass makes again.

    MindSpore takes it in compiled functions alone; here it serves in both modes.

    >>> import ms_compat as ms
    >>> from ms_compat import ops
    >>> def block(x):
    ...     return ops.sin(x) * x
    >>> round(ms.grad(lambda x: ops.recompute_block(block, True)(x))(ms.Tensor(1.0)).item(), 4)
    1.3818
    """

    def __call__(self, *args: Any) -> Callable:
        """The function that calls a block so.

        Args:
            block (Callable): a function or a Cell.
            output_recompute (bool): whether the results are computed again, too, and not only what is inside.

        Raises:
            RuntimeError: not two arguments, or of other types.
        """
        if len(args) != 2:
            raise RuntimeError(f"For 'recompute_block', two arguments are taken, but got {len(args)}.")
        block, output_recompute = args
        if not callable(block) or not isinstance(output_recompute, bool):
            raise RuntimeError(
                "For 'recompute_block', the 'block' must be callable and 'output_recompute' a bool, but got "
                f"{type(block).__name__} and {type(output_recompute).__name__}."
            )

        from ms_compat.nn.cell import Cell

        class Block(Cell):
            def construct(self, *args: Any, **kwargs: Any) -> Any:
                return block(*args, **kwargs)

        again: Any = Block(auto_prefix=False)
        if isinstance(block, Cell):
            again.block = block  # so that its Parameters are known
        again.recompute(output_recompute=output_recompute)
        return again


recompute_block = _RecomputeBlock()


def no_inline(fn: Callable | None = None) -> Callable:
    """Decorator that requests a separate compilation of a function; XLA decides, so the function is unchanged.

    Args:
        fn: the function.

    >>> no_inline(len)([1, 2])
    2
    """
    if fn is None:
        return no_inline
    logger.debug("no_inline(%s) has no effect: XLA decides", getattr(fn, "__name__", fn))
    return fn


def set_dump(target: Any, enabled: bool = True) -> None:
    """Marks a Cell or primitive whose data MindSpore dumps on Ascend; without effect elsewhere, as there.

    Args:
        target (Union[Cell, Primitive]): what to mark.
        enabled: whether.

    Raises:
        TypeError: an argument of a wrong type.
    """
    from ms_compat.nn.cell import Cell
    from ms_compat.ops.primitive import Primitive

    check_type("set_dump", "target", target, (Cell, Primitive))
    check_bool("set_dump", "enabled", enabled)
    logger.debug("set_dump(%s, %s) has no effect: it is for Ascend", type(target).__name__, enabled)


def run_check() -> None:
    """Multiplies two Tensors and prints whether the result is right.

    >>> run_check()                                                      # doctest: +ELLIPSIS
    MindSpore version: ...
    The result of multiplication calculation is correct, MindSpore has been installed on platform [...] successfully!
    """
    import ms_compat

    print(f"MindSpore version:  {ms_compat.__version__}")
    left, right = ms_compat.ops.ones((3, 3)), ms_compat.ops.ones((3, 3)) * 2
    if not bool((left * right == 2).all()):
        raise RuntimeError("For 'run_check', the device multiplies wrongly: 1 * 2 is not 2.")
    target = ms_compat.get_context("device_target")
    print(
        "The result of multiplication calculation is correct, MindSpore has been installed on platform "
        f"[{target}] successfully!"
    )
