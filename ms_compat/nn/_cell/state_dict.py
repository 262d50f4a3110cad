"""`state_dict` and `load_state_dict`: a Cell's Parameters and persistent buffers by path, with hooks on both ways.

Everything is checked before the first value is written, so that a failing load changes nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import write_barrier
from ms_compat.nn._cell.hooks import HookHandle, add_hook, hooks_of
from ms_compat.nn._cell.part import Part

_EXTRA = "_extra_state"


class _IncompatibleKeys(NamedTuple):
    """What `load_state_dict` returns."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


class _StateDict(OrderedDict):
    """An OrderedDict that carries MindSpore's `_metadata`."""

    _metadata: Any = None

    def __repr__(self) -> str:
        return f"OrderedDict({list(self.items())!r})" if self else "OrderedDict()"


class StateDict(Part):
    """Saving to and loading from dictionaries."""

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """Parameters and persistent buffers by path.

        Args:
            *args: destination, prefix and keep_vars by position (deprecated in MindSpore, too).
            destination: a dict to fill; a new OrderedDict by default.
            prefix: what to put before every path.
            keep_vars: accepted; as in MindSpore, both cases return the Parameters themselves.

        >>> from ms_compat import nn
        >>> list(nn.Dense(2, 3).state_dict())
        ['weight', 'bias']
        """
        if args:
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and not prefix else prefix
            keep_vars = args[2] if len(args) > 2 else keep_vars
        if destination is None:
            destination = _StateDict()
            destination._metadata = OrderedDict()
        local_metadata: dict[str, Any] = {}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        for hook in hooks_of(self, "state_dict_pre"):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in hooks_of(self, "state_dict_post"):
            hook(self, destination, prefix, local_metadata)
        return destination

    def _persistent_members(self) -> dict[str, Tensor | None]:
        hidden = self.__dict__.get("_non_persistent", ())
        return {**self._params, **{name: b for name, b in self._buffers.items() if name not in hidden}}

    def _save_to_state_dict(self, destination, prefix, keep_vars) -> None:
        for name, member in self._persistent_members().items():
            if member is not None:
                destination[prefix + name] = member
        if self._has_extra_state():
            destination[prefix + _EXTRA] = self.get_extra_state()

    def _has_extra_state(self) -> bool:
        return type(self).get_extra_state is not StateDict.get_extra_state

    def get_extra_state(self):
        """Override to add state of your own to `state_dict`; see `set_extra_state`."""
        raise NotImplementedError("Override 'get_extra_state' in the Cell to have extra state in its state_dict.")

    def set_extra_state(self, state: Any):
        """Override to take back what `get_extra_state` returned when `load_state_dict` finds it."""
        raise RuntimeError("The state_dict holds extra state; override 'set_extra_state' in the Cell to take it.")

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True):
        """Copy values into this Cell's Parameters and buffers; all or nothing.

        Args:
            state_dict: values by path.
            strict: whether missing and unexpected keys are errors.

        Returns:
            A named tuple of `missing_keys` and `unexpected_keys`.

        Raises:
            TypeError: `state_dict` is not a mapping.
            RuntimeError: keys do not match under `strict`, or a value has another shape or is not a Tensor.

        >>> from ms_compat import nn
        >>> nn.Dense(2, 3).load_state_dict(nn.Dense(2, 3).state_dict())
        <All keys matched successfully>
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        values = OrderedDict(state_dict)
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        writes: list[Callable[[], Any]] = []
        visited: list[Any] = []
        metadata = getattr(state_dict, "_metadata", None)
        _plan(self, values, "", metadata, strict, missing, unexpected, errors, writes, visited)
        incompatible = _IncompatibleKeys(missing, unexpected)
        if not errors:
            _run_post_hooks(visited, incompatible)
        if strict:
            for what, keys in (("Unexpected", unexpected), ("Missing", missing)):
                if keys:
                    errors.insert(0, "{} key(s) in state_dict: {}. ".format(what, ", ".join(f'"{k}"' for k in keys)))
        if errors:
            listed = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}")
        for write in writes:
            write()
        return incompatible

    # -- hooks -------------------------------------------------------------------------------------------------------
    def register_state_dict_pre_hook(self, hook) -> HookHandle:
        """Call `hook(cell, prefix, keep_vars)` before this Cell's part of `state_dict`; returns a handle."""
        return add_hook(self, "state_dict_pre", hook)

    def register_state_dict_post_hook(self, hook) -> HookHandle:
        """Call `hook(cell, state_dict, prefix, local_metadata)` after it; it may change the dict. Returns a handle."""
        return add_hook(self, "state_dict_post", hook)

    def register_load_state_dict_pre_hook(self, hook) -> HookHandle:
        """Call `hook(cell, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)`
        before this Cell's part of `load_state_dict`; returns a handle."""
        return add_hook(self, "load_state_dict_pre", hook)

    def register_load_state_dict_post_hook(self, hook) -> HookHandle:
        """Call `hook(cell, incompatible_keys)` before values are written; it may change the keys; returns a handle."""
        return add_hook(self, "load_state_dict_post", hook)


def _run_post_hooks(cells: list[Any], incompatible: _IncompatibleKeys) -> None:
    for cell in cells:
        for hook in hooks_of(cell, "load_state_dict_post"):
            if hook(cell, incompatible) is not None:
                raise TypeError(
                    "Hooks registered with register_load_state_dict_post_hook must return None; change the keys in "
                    "place instead."
                )


def _plan(cell, values, prefix, metadata, strict, missing, unexpected, errors, writes, visited) -> None:
    """Check one Cell's part of a state dict, collect the writes, and go on with its children."""
    # Members, extra state and keys that are left over are separated one by one: each is missing, unexpected, or a
    # write that waits until the whole tree is known to fit.
    local_metadata = {} if metadata is None else metadata.get(prefix[:-1], {})
    for hook in hooks_of(cell, "load_state_dict_pre"):
        hook(cell, values, prefix, local_metadata, strict, missing, unexpected, errors)
    members = cell._persistent_members()
    for name, member in members.items():
        key = prefix + name
        if key in values and member is not None:
            _plan_member(key, member, values[key], errors, writes)
        elif key in values:
            unexpected.append(key)
        elif member is not None:
            missing.append(key)
    extra = prefix + _EXTRA
    if cell._has_extra_state():
        if extra in values:
            writes.append(lambda: cell.set_extra_state(values[extra]))
        else:
            missing.append(extra)
    elif extra in values:
        unexpected.append(extra)
    children = {name: child for name, child in cell._cells.items() if child is not None}
    for key in values:
        if key.startswith(prefix) and key != extra:
            head, _, rest = key[len(prefix) :].partition(".")
            known = head in members and not rest or rest and head in children
            if not known and key not in unexpected:
                unexpected.append(key)
    for name, child in children.items():
        _plan(child, values, f"{prefix}{name}.", metadata, strict, missing, unexpected, errors, writes, visited)
    visited.append(cell)


def _plan_member(key: str, member: Tensor, value: Any, errors: list[str], writes: list[Callable]) -> None:
    if not isinstance(value, Tensor):
        errors.append(
            f'While copying the parameter named "{key}", expected Tensor or Tensor-like object from checkpoint but '
            f"received {type(value)}"
        )
    elif value.shape != member.shape:
        errors.append(
            f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, the shape in current "
            f"model is {member.shape}."
        )
    else:
        writes.append(lambda: _write(member, value))


def _write(member: Tensor, value: Tensor) -> None:
    array = value._v
    if array.dtype != member._v.dtype:
        array = array.astype(member._v.dtype)
    write_barrier.assign(member, array)
