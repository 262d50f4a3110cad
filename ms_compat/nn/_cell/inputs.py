"""What a Cell's inputs look like (`set_inputs`), and compiling a Cell by hand.

XLA compiles per shape, so `set_inputs` does not make one program for all sizes: it is a declaration that each call in
GRAPH_MODE is checked against, as in MindSpore. A size declared as None is free; many sizes cost the same with
and without a declaration (`_compile/fallback/shape_policy.py`).
"""

from __future__ import annotations

import inspect
import logging
from typing import Any

from ms_compat._compile.analysis import refusals
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.mutable import is_mutable, python_class
from ms_compat._core.trace import scopes
from ms_compat.nn._cell.part import Part

logger = logging.getLogger("ms_compat")
_FULL = "set_inputs and tuple(list) in set_inputs"
_ANY = "set_inputs or tuple(list) in set_inputs"


def check_declared(position: int, declared: Any, value: Any, seen: dict[int, int], within: bool = False) -> None:
    """Check one input against its declaration.

    Args:
        position: counted from 1, among the inputs or within a `mutable` sequence.
        declared: what `set_inputs` was given.
        value: what came.
        seen: the values of `unique` Symbols in this call.
        within: whether these are parts of a `mutable` value, where numbers are variables, too.

    Raises:
        ValueError: a Tensor of another rank or size, or one that a Symbol excludes; another constant; or a variable of
            another kind or structure.
        TypeError: a Tensor of another dtype, or a constant in place of a variable or the other way round.
    """
    # One check after the other in MindSpore's order: the first that fails says what is raised.
    variable = within or is_mutable(declared) or isinstance(declared, Tensor)
    if not within and variable != (is_mutable(value) or isinstance(value, Tensor)):
        want, got = ("mutable", "static") if variable else ("static", "mutable")
        raise TypeError(f"For {_ANY}, the {position}th should be {want} one, but got {got}!")
    if not variable:
        if not _is_same_constant(declared, value):
            raise _other(position, declared, value)
    elif isinstance(declared, Tensor) and isinstance(value, Tensor):
        _check_tensor(position, declared, value, seen)
    elif isinstance(declared, (tuple, list)) and isinstance(value, (tuple, list)) and len(declared) == len(value):
        for number, (one, other) in enumerate(zip(declared, value, strict=True), 1):
            check_declared(number, one, other, seen, within=True)
    elif isinstance(declared, dict) and isinstance(value, dict) and list(declared) == list(value):
        for number, (one, other) in enumerate(zip(declared.values(), value.values(), strict=True), 1):
            check_declared(number, one, other, seen, within=True)
    elif python_class(declared) is not python_class(value) or python_class(declared) not in (bool, int, float):
        raise _other(position, declared, value)


def _check_tensor(position: int, declared: Tensor, value: Tensor, seen: dict[int, int]) -> None:
    if declared.dtype != value.dtype:
        raise TypeError(
            f"For {_ANY}, the {position}th type should be Tensor[{declared.dtype}], but got Tensor[{value.dtype}]!"
        )
    want, got = tuple(declared.shape), tuple(value.shape)
    if want == (-2,):  # of unknown rank
        return
    if len(want) != len(got):
        raise ValueError(
            f"For {_FULL}, the dims of {position}th input must be the same as expected, but got expected: {len(want)}, "
            f"and input: {len(got)}!"
        )
    for one, other in zip(want, got, strict=True):
        if one not in (-1, None, other):
            raise ValueError(
                f"For {_FULL}, the shape of {position}th input must be the same as expected, but got expected: {one}, "
                f"and input: {other}!"
            )
    for symbol, size in zip(getattr(declared, "_sizes", ()), got, strict=False):
        if hasattr(symbol, "accepts") and not symbol.accepts(size, seen):
            raise ValueError(
                f"For {_FULL}, the shape of {position}th input must agree with the Symbol {symbol}, but got {size}!"
            )


def _is_same_constant(one: Any, other: Any) -> bool:
    """Whether two constants of a compiled function are alike. Tensors in a constant container are by identity."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, Tensor):
        return False
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(_is_same_constant, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(_is_same_constant, one.values(), other.values()))
    return bool(one == other)


def _other(position: int, declared: Any, value: Any) -> ValueError:
    return ValueError(f"For {_ANY}, the {position}th should be {declared!r:.80}, but got {value!r:.80}!")


class Inputs(Part):
    """Declared inputs, and compiling by hand."""

    def __new__(cls, /, *args, **kwargs):
        if scopes.tracing and scopes.compiling():
            refusals.check_instance(cls, (args, kwargs))
        return super().__new__(cls)

    def set_inputs(self, *inputs, **kwargs) -> None:
        """Declare what the inputs look like; in GRAPH_MODE each call of this Cell is checked against it.

        Args:
            *inputs: full mode: something for each input: a Tensor of the dtype and shape, in which None stands for any
                size (`Tensor(shape=[3, None], dtype=float32)`), or a constant.
            **kwargs: incremental mode: the same for some inputs, by the name in `construct`.

        Raises:
            ValueError: both ways at once; or `construct` has no input of that name.

        >>> import ms_compat as ms
        >>> net = ms.nn.ReLU()
        >>> net.set_inputs(ms.Tensor(shape=[3, None], dtype=ms.float32))
        >>> net.get_inputs()[0].shape
        (3, -1)
        """
        if inputs and kwargs:
            raise ValueError(
                f"For Cell, set_inputs should only set inputs or kwargs(inputs: {inputs}, kwargs: {kwargs})!"
            )
        if not kwargs:
            self.__dict__["_declared"] = inputs
            return
        names = [p.name for p in inspect.signature(self.construct).parameters.values() if p.kind <= p.KEYWORD_ONLY]
        for name in kwargs:
            if name not in names:
                raise ValueError(f"For dict mode, valid key is {names}, but got {name}!")
        positions = [[names.index(name), value] for name, value in kwargs.items()]
        self.__dict__["_declared"] = {"arg_specified_infos": positions, "total_arg_length": len(names)}

    def get_inputs(self):
        """What `set_inputs` declared: the tuple of the full mode; of the incremental mode a dict with pairs of position
        and value, as MindSpore keeps it; None without a declaration.

        >>> import ms_compat as ms
        >>> net = ms.nn.ReLU()
        >>> print(net.get_inputs())
        None
        >>> net.set_inputs(ms.Tensor(shape=[None, 3], dtype=ms.float32))
        >>> net.get_inputs()[0].shape
        (-1, 3)
        """
        return self.__dict__.get("_declared")

    def _check_inputs(self, args: tuple, kwargs: dict) -> None:
        """Check a compiled call against the declaration."""
        declared = self.__dict__["_declared"]
        seen: dict[int, int] = {}
        if isinstance(declared, dict):
            bound = inspect.signature(self.construct).bind(*args, **kwargs)
            values = list(bound.arguments.values())
            for position, value in declared["arg_specified_infos"]:
                if position < len(values):
                    check_declared(position + 1, value, values[position], seen)
            return
        required, total = self._count_of_inputs()
        if len(declared) < required:
            raise TypeError(
                f"For 'Cell', the function construct requires {required} positional argument, but got {len(declared)}. "
                "When using set_inputs, please make sure that all networks and loss functions are configured with "
                "set_inputs."
            )
        if total is not None and len(declared) > total:
            raise TypeError(
                f"For 'Cell', the function construct requires {required} positional argument and {total - required} "
                f"default argument, total {total}, but got {len(declared)}."
            )
        if kwargs:  # MindSpore then fills in defaults, too; positions alone must be all
            bound = inspect.signature(self.construct).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        values = [*args, *kwargs.values()]
        if len(values) < required:
            raise TypeError(
                f"For 'Cell', the function construct requires {required} positional argument, but got {len(values)}."
            )
        if len(values) != len(declared):
            raise ValueError(
                f"For set_inputs, the length of input must be equal to expected one, but got expected: {len(declared)} "
                f"and input: {len(values)}!"
            )
        for position, (one, value) in enumerate(zip(declared, values, strict=True), 1):
            check_declared(position, one, value, seen)

    def _count_of_inputs(self) -> tuple[int, int | None]:
        """How many inputs `construct` must and may have; None for any number."""
        parameters = inspect.signature(self.construct).parameters.values()
        named = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        required = sum(p.default is p.empty for p in named)
        return required, None if any(p.kind == p.VAR_POSITIONAL for p in parameters) else len(named)

    # -- compiling ---------------------------------------------------------------------------------------------------
    def compile(self, *args, **kwargs) -> None:
        """Compile the Cell for such inputs without running it: a later call with the same shapes compiles nothing.

        Args:
            *args, **kwargs: the inputs of `construct`.

        >>> import ms_compat as ms
        >>> net = ms.nn.ReLU()
        >>> net.compile(ms.Tensor([1.0, -1.0]))
        >>> net.compiled
        True
        """
        self._declared_compiled(args, kwargs).compile(*args, **kwargs)

    def compile_and_run(self, *args, **kwargs):
        """Run the Cell compiled, in both modes.

        Args:
            *args, **kwargs: the inputs of `construct`.
        """
        return self._declared_compiled(args, kwargs)(*args, **kwargs)

    def _declared_compiled(self, args: tuple, kwargs: dict) -> Any:
        if self.__dict__.get("_declared") is not None:
            self._check_inputs(args, kwargs)
        return self._compiled_function()

    @property
    def compiled(self) -> bool:
        """Whether the Cell was compiled for some inputs."""
        found = self.__dict__.get("_compiled")
        return found is not None and found.traces > 0

    def get_func_graph_proto(self) -> str | None:
        """The program of the last compile, as the text of its jaxpr, where MindSpore gives its graph's bytes; None
        before a compile."""
        program = self._program()
        return None if program is None else str(program)

    def _program(self) -> Any:
        """The closed jaxpr of the last compile, or None."""
        compiled = self.__dict__.get("_compiled")
        return None if compiled is None else compiled.program()

    def run_construct(self, cast_inputs, kwargs):
        """Call `construct` without hooks.

        Args:
            cast_inputs: tuple of positional inputs.
            kwargs: dict of keyword inputs.
        """
        return self.construct(*cast_inputs, **kwargs)

    # -- compile options ---------------------------------------------------------------------------------------------
    def set_jit_config(self, jit_config) -> None:
        """Keep compile options, which choose MindSpore compiler levels that XLA does not have.

        With `jit_syntax_level="STRICT"` the compiled Cell returns the values of a dict in its place, as a tuple.
        Options can be set once: a second call is ignored, with a warning.

        Args:
            jit_config: a `JitConfig`.
        """
        options = jit_config.jit_config_dict
        if self.jit_config_dict:
            logger.warning("Cell.set_jit_config: ignoring %r, the options of this Cell are set already.", options)
            return
        logger.debug("Cell.set_jit_config(%r): the levels have no effect, XLA has one", options)
        self.__dict__["_jit_config"] = dict(options)

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """The options of `set_jit_config`."""
        return self.__dict__.get("_jit_config", {})
