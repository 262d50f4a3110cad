"""Advice that makes a step fit, or run faster; each piece of advice estimates its gain."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ms_compat._targets.capture import Step
    from ms_compat._targets.report import Plan

_LARGE = 0.25  # of the memory that is needed
_HALF = ("bfloat16", "float16")


def readable(size: float) -> str:
    """Formats a number of bytes.

    >>> readable(3 << 29)
    '1.50 GiB'
    """
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.2f} {unit}"
        size /= 1024
    raise AssertionError


def suggest(plan: Plan, step: Step, laid_out: bool) -> list[str]:
    """Advice for a step, the largest gain first."""
    found: list[tuple[float, str]] = []
    state = plan.weights + plan.optimizer
    needed = max(plan.needed, 1)
    tight = not plan.fits or plan.needed > 0.7 * plan.memory
    kept = plan.activations if plan.fits or plan.activations else plan.temporaries
    if tight and kept > _LARGE * needed:
        found.append(
            (
                kept,
                f"Recomputation: up to {readable(kept)} are kept for the backward pass. Cell.recompute() on the blocks "
                "that the net repeats keeps their inputs alone, for about a third more arithmetic.",
            )
        )
    if tight and state > _LARGE * needed:
        found.append((float(state), _of_layout(plan, state)))
    if plan.chips > 1 and not laid_out:
        found.append(
            (
                float(needed),
                f"The program lays nothing out, so each of the {plan.chips} chips computes the same. AutoParallel cuts "
                "the batch over them, Cell.shard also the weights.",
            )
        )
    single = sum(count for dtype, count in plan.flops_by_dtype.items() if dtype not in _HALF)
    if single > 0.5 * max(plan.flops, 1) and plan.flops > 1e9:
        saved = kept / 2
        found.append(
            (
                saved,
                f"bfloat16: {single / plan.flops:.0%} of the arithmetic is on wider numbers. Model(amp_level='O2') or "
                f"amp.auto_mixed_precision(net, 'O2', ms.bfloat16) halves activations (about {readable(saved)}).",
            )
        )
    if plan.optimizer > 1.5 * plan.weights and tight:
        found.append(
            (
                plan.optimizer / 2,
                f"The optimizer keeps {readable(plan.optimizer)}: nn.Momentum or nn.AdaFactor keep less than Adam.",
            )
        )
    if plan.fits and plan.seconds_memory > 2 * plan.seconds_arithmetic and plan.flops > 1e9:
        found.append(
            (
                0.0,
                "The memory bounds the time: a larger batch does more arithmetic on each weight that is read.",
            )
        )
    not_donated = state - plan.aliased
    if plan.aliased and step.optimizers and not_donated > _LARGE * state and not_donated > 1 << 20:
        found.append((float(not_donated), f"{readable(not_donated)} of Parameters are only read, or are not updated."))
    return [text for _, text in sorted(found, key=lambda item: -item[0])]


def _of_layout(plan: Plan, state: int) -> str:
    """The gain from cutting weights and the optimizer's state, or from cutting them further."""
    here = f"Layout: weights and optimizer take {readable(state)} on a chip"
    if state <= 1.1 * plan.state / plan.chips and plan.chips > 1:
        return f"{here}, their share of {readable(plan.state)}. More chips would make it less."
    many = plan.chips if plan.chips > 1 else 4
    return (
        f"{here}. Strategies, Cell.shard with a parameter_plan, or enable_parallel_optimizer cut them; over {many} "
        f"chips at best {readable(plan.state / many)} each."
    )
