"""What a notebook shows of a Model: network, loss, optimizer, metrics and precision."""

from __future__ import annotations

from typing import Any

from ms_compat._core.diagnostics.html import escape, table
from ms_compat.nn._cell.notebook_html import cell_html, counted


def model_text(model: Any) -> str:
    """`Model.__repr__`."""
    lines = ["Model(", f"network: {model._network!r}", *(f"{name}: {value}" for name, value in _facts(model))]
    return "\n".join(lines).replace("\n", "\n  ") + "\n)"


def model_html(model: Any) -> str:
    """`Model._repr_html_`."""
    rows = [(name, escape(value)) for name, value in _facts(model)]
    return f"<div><b>Model</b></div>{table((), rows)}{cell_html(model._network)}"


def _facts(model: Any) -> list[tuple[str, str]]:
    facts = [("loss", _named(model._loss_fn)), ("optimizer", _optimizer(model._optimizer))]
    if model._metric_fns:
        facts.append(("metrics", ", ".join(map(str, model._metric_fns))))
    if model._amp_level != "O0":
        facts.append(("precision", model._amp_level))
    if model._loss_scale_manager is not None:
        facts.append(("loss scale", _named(model._loss_scale_manager)))
    return facts


def _named(value: Any) -> str:
    if value is None:
        return "none: the network returns it"
    return getattr(value, "__name__", None) or type(value).__name__


def _optimizer(optimizer: Any) -> str:
    if optimizer is None:
        return "none: the network is the whole step"
    parameters = getattr(optimizer, "parameters", None)
    return type(optimizer).__name__ + (f" of {counted(list(parameters))}" if parameters else "")
