"""Settings for MindSpore's distribution search: kept, so that scripts can read them back; XLA has its own search."""

from __future__ import annotations

import logging
from typing import Any

from ms_compat._core.errors import check_bool, check_type

logger = logging.getLogger("ms_compat")
_DEFAULTS: dict[str, Any] = {
    "fully_use_devices": False,
    "elementwise_op_strategy_follow": False,
    "enable_algo_approxi": False,
    "algo_approxi_epsilon": 0.1,
    "tensor_slice_align_enable": False,
    "tensor_slice_align_size": 16,
}
_settings = dict(_DEFAULTS)


def _known(api: str, name: str) -> None:
    if name not in _DEFAULTS:
        raise ValueError(f"For '{api}', the key '{name}' is not recognized. The keys are {', '.join(_DEFAULTS)}.")


def set_algo_parameters(**kwargs: Any) -> None:
    """Sets parameters of the search; without effect.

    Args:
        **kwargs: `fully_use_devices`, `elementwise_op_strategy_follow`, `enable_algo_approxi`,
            `tensor_slice_align_enable` (bool), `algo_approxi_epsilon` (float), `tensor_slice_align_size` (int).

    Raises:
        ValueError: an unknown key.
        TypeError: a value of a wrong type.

    >>> set_algo_parameters(fully_use_devices=True)
    >>> get_algo_parameters("fully_use_devices")
    True
    >>> reset_algo_parameters()
    """
    for name, value in kwargs.items():
        _known("set_algo_parameters", name)
        kind = type(_DEFAULTS[name])
        if kind is bool:
            check_bool("set_algo_parameters", name, value)
        else:
            check_type("set_algo_parameters", name, value, kind)
    _settings.update(kwargs)
    logger.debug("set_algo_parameters(%s) is kept, and changes nothing: XLA decides", kwargs)


def get_algo_parameters(attr_key: str) -> Any:
    """Returns one of the parameters.

    Args:
        attr_key: its name.

    Raises:
        ValueError: there is no parameter with that name.
    """
    _known("get_algo_parameters", attr_key)
    return _settings[attr_key]


def reset_algo_parameters() -> None:
    """Resets all parameters to their defaults."""
    _settings.update(_DEFAULTS)
