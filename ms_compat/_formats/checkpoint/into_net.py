"""`load_param_into_net`: which value goes to which Parameter, decided for all of them before the first one is set.

A name that is not in the dict may be found behind a prefix (`net.fc.weight` for `fc.weight`): the first Parameter
left over whose name ends a name of the dict gives the prefix, everything left over is looked up behind it, and so on
until no new prefix comes. What stays unloaded is MindSpore's return value and a warning, here with the nearest name
there is.
"""

from __future__ import annotations

import difflib
import logging
from typing import Any

import jax
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_bool, check_type, value_and_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._formats.checkpoint import arguments, unread
from ms_compat.nn.cell import Cell

_API = "load_param_into_net"
_FLOATS = frozenset((mstype.float16, mstype.float32, mstype.float64, mstype.bfloat16))
_INTS = frozenset((mstype.int8, mstype.int16, mstype.int32, mstype.int64, mstype.qint4x2))
_MOST_NAMES = 20

logger = logging.getLogger("ms_compat")


@faces("train train.serialization")
def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Set a Cell's Parameters to the values of a dict, by name.

    Either all values fit and are set, or an error names those that do not and the Cell is as before. A value with
    trailing dimensions of 1 that the Parameter does not have takes the Parameter's shape (MindSpore gives the Parameter
    the value's shape).

    Args:
        net: the Cell; an optimizer is one too.
        parameter_dict: dict of name to Parameter, as `load_checkpoint` returns it. Strings in it are left out.
        strict_load: take equal dtypes only and look behind no prefix. Otherwise float types are cast to float types and
            signed integers to signed integers.
        remove_redundancy: whether the file was saved without the copies that other devices hold; on JAX an array is
            global, so there is nothing to fetch.

    Returns:
        (param_not_load, ckpt_not_load): names in `net` that got no value, and names of `parameter_dict` that are not in
        `net` (including those that were found behind a prefix). A warning lists the former.

    Raises:
        TypeError: wrong type of an argument or a `parameter_dict` entry.
        RuntimeError: a shape or dtype does not fit.

    >>> from ms_compat import Parameter, Tensor, load_param_into_net, nn
    >>> net = nn.Dense(2, 1)
    >>> load_param_into_net(net, {"fc.weight": Parameter(Tensor([[1.0, 2.0]])), "fc.bias": Parameter(Tensor([3.0]))})
    ([], ['fc.weight', 'fc.bias'])
    >>> net.bias.asnumpy()
    array([3.], dtype=float32)
    """
    check_net(_API, net)
    check_type(_API, "parameter_dict", parameter_dict, dict)
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, (Parameter, str)):
            raise TypeError(
                f"For '{_API}', the 'parameter_dict' must map str to Parameter, but maps {value_and_type(name)} to "
                f"{value_and_type(value)}."
            )
    check_bool(_API, "strict_load", strict_load)
    arguments.instance(_API, "remove_redundancy", remove_redundancy, bool)
    if remove_redundancy:
        logger.debug("For '%s', remove_redundancy=True has no effect: arrays are global.", _API)

    values = {name: value for name, value in parameter_dict.items() if isinstance(value, Parameter)}
    own = {parameter.name: parameter for _, parameter in net.parameters_and_names()}
    plan = {name: name for name in own if name in values}
    if not strict_load and len(plan) < len(own):
        _behind_prefixes(own, values, plan)
    _set_all([(own[name], values[source], source) for name, source in plan.items()], strict_load)
    not_loaded = [name for name in own if name not in plan]
    unused = [name for name in parameter_dict if name not in own]
    if not_loaded:
        _warn(not_loaded, [name for name in values if name not in plan.values()], len(own))
    return not_loaded, unused


def check_net(api: str, net: Any) -> None:
    """Raise TypeError unless `net` is a Cell."""
    check_type(api, "net", net, Cell)


def load_behind_prefixes(net: Cell, values: dict[str, Parameter], left: list[str], strict_load: bool) -> None:
    """Set the Parameters of the names `left` that a dict has behind prefixes, and take those names from the list."""
    own = {parameter.name: parameter for _, parameter in net.parameters_and_names()}
    plan: dict[str, str] = {}
    _behind_prefixes({name: own[name] for name in left}, values, plan)
    _set_all([(own[name], values[source], source) for name, source in plan.items()], strict_load)
    left[:] = [name for name in left if name not in plan]


def _behind_prefixes(own: dict[str, Parameter], values: dict[str, Parameter], plan: dict[str, str]) -> None:
    """Add to `plan` (name in the net -> name in the dict) what is found by leaving out prefixes."""
    while True:
        left = [name for name in own if name not in plan]
        prefix = _first_prefix(left, values)
        if prefix is None:
            return
        logger.warning("For '%s', the prefix '%s' of names in 'parameter_dict' is left out.", _API, prefix)
        plan.update((name, prefix + name) for name in left if prefix + name in values)


def _first_prefix(left: list[str], values: dict[str, Parameter]) -> str | None:
    """The prefix by which the first possible name of `left` is found in the dict."""
    endings = tuple(left)
    candidates = [name for name in values if name.endswith(endings)]
    for name in left:
        for candidate in candidates:
            if candidate.endswith(name):
                return candidate[: -len(name)]
    return None


def _set_all(pairs: list[tuple[Parameter, Parameter, str]], strict_load: bool) -> None:
    found = (_misfit(target, source, name, strict_load) for target, source, name in pairs)
    problems = [problem for problem in found if problem is not None]
    if problems:
        more = f" (and {len(problems) - 5} more)" if len(problems) > 5 else ""
        raise RuntimeError(
            f"For '{_API}', {len(problems)} of {len(pairs)} values do not fit the net, so none was loaded: "
            f"{'; '.join(problems[:5])}{more}. Check that the checkpoint belongs to this net."
        )
    unread.read_now(source for _, source, _ in pairs)
    ready = [(target, _fitted(target, source)) for target, source, _ in pairs]
    for target, value in ready:
        target.set_data(wrap(value))


@faces("train.serialization")
def _update_param(param, new_param, strict_load=False) -> None:
    """Set one Parameter to another's value; private in MindSpore, and imported by projects all the same."""
    _set_all([(param, new_param, new_param.name)], strict_load)


def _misfit(target: Parameter, source: Parameter, name: str, strict_load: bool) -> str | None:
    have, given = target.shape, source.shape
    if have != given and not (given[: len(have)] == have and all(n == 1 for n in given[len(have) :])):
        return f"'{target.name}' has shape {have} in the net, but '{name}' has shape {given} in the checkpoint"
    if target.dtype is source.dtype:
        return None
    both = {target.dtype, source.dtype}
    if not strict_load and (both <= _FLOATS or both <= _INTS):
        return None
    why = " (strict_load=True casts nothing)" if strict_load else ""
    return f"'{target.name}' is {target.dtype} in the net, but '{name}' is {source.dtype} in the checkpoint{why}"


def _fitted(target: Parameter, source: Parameter) -> jax.Array:
    """The value in the Parameter's dtype and shape; numpy casts, because MindSpore's rounding is numpy's."""
    value = source._v
    if value.dtype != target._v.dtype:
        message = "For '%s', the values of '%s' are cast from %s to %s."
        logger.warning(message, _API, target.name, source.dtype, target.dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            value = jax.device_put(np.asarray(value).astype(target._v.dtype))
    return value if value.shape == target.shape else value.reshape(target.shape)


def _warn(not_loaded: list[str], unused: list[str], total: int) -> None:
    lines = []
    for name in not_loaded[:_MOST_NAMES]:
        near = difflib.get_close_matches(name, unused, n=1)
        lines.append(f"{name} (did you mean '{near[0]}' of the checkpoint?)" if near else name)
    if len(not_loaded) > _MOST_NAMES:
        lines.append(f"and {len(not_loaded) - _MOST_NAMES} more")
    message = "For '%s', %d of %d parameters of the net are not in 'parameter_dict' and keep their values: %s"
    logger.warning(message, _API, len(not_loaded), total, ", ".join(lines))
