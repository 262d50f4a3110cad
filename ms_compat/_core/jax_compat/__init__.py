"""The only module that imports private JAX names.

Every other module uses `jax`, `jax.numpy`, `jax.lax`, `jax.nn`, `jax.tree_util` and `jax.sharding` as documented. This
module holds what the engine needs beyond them, so that a new JAX release can break only one file.
`tests/test_packaging.py` makes sure that it stays the only one.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import jaxlib
import numpy as np
from jax._src import compilation_cache as _compilation_cache
from jax._src import core as _core
from jax._src import distributed as _distributed
from jax._src import pjit as _pjit
from jax._src import tree_util as _tree_util
from jax._src import xla_bridge as _xla_bridge
from jax._src.core import eval_context as eval_context
from jax._src.cudnn import fused_attention_stablehlo as _cudnn_attention
from jax._src.interpreters import mlir as _mlir
from jax._src.interpreters import pxla as _pxla
from jax._src.interpreters.batching import BatchTracer as _BatchTracer
from jax._src.interpreters.partial_eval import Offloadable as Offloadable
from jax._src.interpreters.partial_eval import dce_jaxpr as _dce_jaxpr
from jax._src.lax.lax import _convert_element_type
from jax._src.lib import _jax
from jax._src.lib import xla_client as _xla_client
from jax.core import Tracer as Tracer

try:
    from jax._src.array import ArrayImpl as ArrayImpl
except ImportError:  # the class moved into jaxlib's extension
    from jaxlib._jax import ArrayImpl as ArrayImpl  # type: ignore[no-redef,import-not-found]

logger = logging.getLogger("ms_compat")
JAX_VERSION = tuple(int(part) for part in jax.__version__.split(".")[:3] if part.isdigit())
JAXLIB_VERSION: str = jaxlib.__version__
float0 = jax.dtypes.float0
_JAX = os.path.dirname(os.path.abspath(jax.__file__)) + os.sep
# folders: of this package, of Python's own modules
HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
STANDARD = sysconfig.get_path("stdlib") + os.sep

CONCRETIZATION_ERRORS = (
    jax.errors.ConcretizationTypeError,  # base of TracerBoolConversionError, TracerIntegerConversionError ...
    jax.errors.TracerArrayConversionError,
)
# beside those, what JAX raises where Python cannot be traced: a mask as an index, a tracer that outlived its trace
UnexpectedTracerError = jax.errors.UnexpectedTracerError
TRACING_ERRORS = (*CONCRETIZATION_ERRORS, jax.errors.NonConcreteBooleanIndexError, UnexpectedTracerError)


def jaxpr_as_fun(closed: Any) -> Any:
    """The function that a closed jaxpr is. `jax.extend`, imported when the first is needed, takes Pallas along."""
    from jax.extend import core

    return core.jaxpr_as_fun(closed)


def is_deleted_error(error: BaseException) -> bool:
    """Whether JAX refused an array whose memory a program that has run since was given."""
    text = str(error)
    return "deleted or donated" in text or "has been deleted" in text


def closed_jaxpr(jaxpr: Any, consts: list[Any]) -> Any:
    """A jaxpr together with the values of its constants."""
    from jax.extend import core

    return core.ClosedJaxpr(jaxpr, consts)


def bind_equation(eqn: Any, inputs: Any, params: dict[str, Any]) -> list[Any]:
    """Evaluate one equation of a jaxpr on other inputs, with other parameters; its outputs."""
    found = eqn.primitive.get_bind_params(params)
    functions, params = found if isinstance(found, tuple) else ((), found)
    out = eqn.primitive.bind(*functions, *inputs, **params)
    return list(out) if eqn.primitive.multiple_results else [out]


def inputs_read(function: Any, *inputs: Any) -> list[bool]:
    """Which of the arrays (or shapes with dtypes) among its inputs the outputs of a function depend on."""
    jaxpr = jax.make_jaxpr(function)(*inputs).jaxpr
    return _dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars))[1]


def live_equations(jaxpr: Any) -> list[Any]:
    """The equations of a jaxpr that its outputs depend on, or that have effects."""
    return _dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars))[0].eqns


def is_recomputed(eqn: Any) -> bool:
    """Whether `jax.checkpoint` computes an equation again for a gradient."""
    return "rematted_computation" in str(eqn.source_info.name_stack)


@contextlib.contextmanager
def with_cudnn() -> Iterator[None]:
    """A region in which JAX's attention takes cuDNN to be here, for programs of GPUs that are not."""
    found = _cudnn_attention.check_cudnn_version
    _cudnn_attention.check_cudnn_version = lambda: 91000  # the version of `_targets`' GPUs
    try:
        yield
    finally:
        _cudnn_attention.check_cudnn_version = found


def enable_x64() -> None:
    """Turn on 64-bit types: MindSpore's Int64 and Float64 are exact, and JAX never chooses an output dtype here."""
    jax.config.update("jax_enable_x64", True)


def is_weak(value: object) -> bool:
    """Whether a traced value came from a Python scalar (JAX marks it weakly typed) rather than from a Tensor."""
    aval = getattr(value, "aval", None)
    return aval is not None and aval.weak_type and not aval.shape


def trace_of(value: Any) -> Any:
    """The transformation of JAX (a gradient, a jit) that a tracer belongs to; None for an array."""
    return getattr(value, "_trace", None)


def primal_of(value: Any) -> Any:
    """The primal value of a gradient's tracer; any other value unchanged."""
    return getattr(value, "primal", value) if isinstance(value, Tracer) else value


def is_mapped(value: Any) -> bool:
    """Whether a value inside of `jax.vmap` differs along the axis that is mapped."""
    return isinstance(value, _BatchTracer) and value.batch_dim is not None


def as_weak(value: Any, dtype: Any) -> Any:
    """The value in a dtype and weakly typed, as JAX takes Python scalars."""
    return _convert_element_type(value, dtype, weak_type=True)


def backends_are_initialized() -> bool:
    """Whether JAX has initialised its devices; this query does not initialise them."""
    return _xla_bridge.backends_are_initialized()


_adopts_only = False  # in a process that was forked: larger arrays would be copied by threads that are not there
_COPIED_INLINE = 1 << 15  # bytes


def run_no_programs(refuse: Callable[..., Any]) -> None:
    """Let every call of a `jax.jit` call `refuse`, which raises, from now on; arrays are adopted and not copied.

    JAX's C++ caches find programs by the settings at their compilation. Under other settings each call goes through
    Python, whose first step this replaces.
    """
    global _adopts_only
    _adopts_only = True
    first_step = "_infer_params"
    if hasattr(_pjit, first_step):
        setattr(_pjit, first_step, refuse)
    else:  # another version of JAX: the error has JAX's own text
        jax.config.update("jax_no_tracing", True)
    promotion = "raise" if jax.config.jax_numpy_rank_promotion == "warn" else "warn"  # type: ignore[attr-defined]
    jax.config.update("jax_numpy_rank_promotion", promotion)


def _aligned(values: np.ndarray) -> np.ndarray:
    """A copy that XLA's CPU client adopts."""
    raw = np.empty(values.nbytes + 64, np.uint8)
    start = -raw.ctypes.data % 64
    copied = raw[start : start + values.nbytes].view(values.dtype).reshape(values.shape)
    copied[...] = values
    return copied


def uncommitted(array: jax.Array) -> jax.Array:
    """The same data as an array that is free to go to other devices, as the results of ordinary operations are.

    Outputs of a program over several processes are committed to their device; every operation that takes them would
    compile a second time.
    """
    return ArrayImpl(array.aval, array.sharding, [array], committed=False)  # type: ignore[list-item]


def is_committed(value: Any) -> bool:
    """Whether an array stays on its device; JAX moves others to where a program runs."""
    return getattr(value, "_committed", False)


def traceback_of(eqn: Any) -> Any:
    """The Python frames that an equation of a jaxpr comes from; None where JAX kept none."""
    return eqn.source_info.traceback


def terms_of(size: Any) -> Any:
    """A symbolic size as a sum: its terms, each with the number that it is multiplied by."""
    return size._sorted_terms


def is_symbolic_size(value: Any) -> bool:
    """Whether a size represents any number in a trace with unknown shapes."""
    return type(value).__name__ == "_DimExpr"


def size_at(size: Any, symbols: dict[str, Any]) -> Any:
    """A symbolic size where its symbols have values: ints, or traced ints."""
    return size._evaluate(symbols)


def has_symbolic_size(value: Any) -> bool:
    """Whether nested tuples and lists contain a symbolic size."""
    if isinstance(value, (tuple, list)):
        return any(map(has_symbolic_size, value))
    return is_symbolic_size(value)


def array_of_size(size: Any) -> jax.Array:
    """A symbolic size as a number of the open trace, weak as Python's ints are."""
    return _core.dimension_as_value(size)


def symbols_of(count: int) -> Any:
    """Symbols for unknown sizes, all in one scope."""
    from jax import export

    return export.symbolic_shape(",".join(f"n{i}" for i in range(count)))


class Decisions:
    """The answers where Python compared sizes; a trace serves other sizes if all answers are the same."""

    def __init__(self) -> None:
        self._noted: dict[tuple, tuple[Any, bool]] = {}

    def note(self, difference: Any, of_order: bool, found: bool) -> bool:
        """Keep whether a difference of sizes is 0, or not negative (`of_order`)."""
        if is_symbolic_size(difference):
            self._noted[difference._sorted_terms, of_order] = difference, found
        return found

    def hold(self, number: Callable[[Any], int], of_order_alone: bool = False) -> bool:
        """Whether the answers are the same for these sizes; perhaps only the answers to which of two is larger."""
        return all(
            bool(number(difference) >= 0 if of_order else number(difference) == 0) is found
            for (_, of_order), (difference, found) in self._noted.items()
            if of_order or not of_order_alone
        )


def _outside_jax(frame: Any) -> Any:
    """The frame that called into JAX."""
    while frame.f_code.co_filename.startswith(_JAX):
        frame = frame.f_back
    return frame


class SizeWatch:
    """Answers, for the time of a block, the comparisons of symbolic sizes that JAX cannot decide, and notes them.

    The program takes symbols for ints (`isinstance`). For JAX a symbol is unequal to any number, also to a number that
    it may represent. JAX's equality comparisons are not noted: it computes the same whether they are true or not.
    Order comparisons of two sizes are answered for the current numbers. The trace serves other numbers where all
    answers are the same (`holds`).

    Args:
        numbers: what each symbol is in the call at hand.

    Raises:
        TypeError: the program hashes a symbolic size, or compares one with a number that is not an int.
    """

    is_open = False  # whether any block is

    def __init__(self, numbers: dict[str, int]) -> None:
        self.asked = False  # whether the user's program has a comparison that JAX cannot decide
        self._numbers = numbers
        self._decisions = Decisions()
        self._former: dict[str, Any] = {}

    def holds(self, numbers: dict[str, int]) -> bool:
        """Whether every comparison has the same answer for other numbers."""
        return self._decisions.hold(lambda size: size_at(size, numbers))

    def order_holds(self, numbers: dict[str, int]) -> bool:
        """Whether of two sizes that were compared the same one is larger for other numbers."""
        return self._decisions.hold(lambda size: size_at(size, numbers), of_order_alone=True)

    def _decide(self, left: Any, right: Any, text: Any) -> bool:
        """Whether one size is not below another."""
        from jax._src.export.shape_poly import InconclusiveDimensionOperation

        try:
            return self._at_least(left, right, text)
        except InconclusiveDimensionOperation:
            difference = left - right
            self.asked |= not _outside_jax(sys._getframe(1)).f_code.co_filename.startswith(HERE)
            return self._decisions.note(difference, True, bool(size_at(difference, self._numbers) >= 0))

    def _note(self, a: Any, b: Any, frame: Any) -> None:
        if frame.f_code.co_filename.startswith(_JAX):
            return
        if isinstance(b, float):
            raise TypeError("A size that varies is compared with a float.")
        if isinstance(b, int) or type(b) is type(a) and a.scope is b.scope:
            self.asked |= is_symbolic_size(a - b) and not frame.f_code.co_filename.startswith(HERE)
            self._decisions.note(a - b, False, False)

    def __enter__(self) -> SizeWatch:
        # Five short methods that see this watch, in the place of those that JAX's class has or lacks.
        from jax._src.export import shape_poly

        _DimExpr = shape_poly._DimExpr
        self._class: Any = _DimExpr
        self._at_least: Any = shape_poly._geq_decision
        shape_poly._geq_decision = self._decide  # type: ignore[assignment]
        SizeWatch.is_open = True
        equal, hashed, note = _DimExpr.__eq__, _DimExpr.__hash__, self._note

        def eq(a: Any, b: Any) -> bool:
            same = equal(a, b)
            if not same:
                note(a, b, sys._getframe(1))
            return same

        def ne(a: Any, b: Any) -> bool:
            same = equal(a, b)
            if not same:
                note(a, b, sys._getframe(1))
            return not same

        def truth(a: Any) -> bool:
            note(a, 0, sys._getframe(1))
            return True

        def code(a: Any) -> int:
            if not sys._getframe(1).f_code.co_filename.startswith((_JAX, HERE)):
                raise TypeError("A size that varies is the key of a dict or set.")
            return hashed(a)

        def attribute(a: Any, name: str) -> Any:
            if name == "__class__" and not sys._getframe(1).f_code.co_filename.startswith(_JAX):
                return int  # `isinstance` reads this: sizes are ints to the program
            return object.__getattribute__(a, name)

        for name, method in (
            ("__eq__", eq),
            ("__ne__", ne),
            ("__bool__", truth),
            ("__hash__", code),
            ("__getattribute__", attribute),
        ):
            self._former[name] = _DimExpr.__dict__.get(name)
            setattr(_DimExpr, name, method)
        return self

    def __exit__(self, *_: object) -> None:
        from jax._src.export import shape_poly

        SizeWatch.is_open = False
        shape_poly._geq_decision = self._at_least
        for name, method in self._former.items():
            if method is None:
                delattr(self._class, name)
            else:
                setattr(self._class, name, method)


def set_program_cache(cache: Any) -> bool:
    """Let JAX keep compiled programs in an object with `get(key)` and `put(key, value)`; False if it takes none.

    None gives JAX its own cache back, which it makes anew from its configuration.
    """
    module = _compilation_cache
    if not (hasattr(module, "_cache") and hasattr(module, "_cache_initialized") and hasattr(module, "reset_cache")):
        return False
    module.reset_cache()
    if cache is not None:
        with module._cache_initialized_mutex:
            module._cache = cache
            module._cache_initialized = True
    return True


def _users_cache() -> Any:
    """JAX's own cache in the folder of its configuration."""
    _compilation_cache._initialize_cache()
    return _compilation_cache._cache


def program_of_users_cache(key: str) -> Any:
    """The entry for a key in the folder that JAX's configuration names."""
    cache = _users_cache()
    return None if cache is None else cache.get(key)


def keep_in_users_cache(key: str, value: bytes) -> None:
    """Store a program in the folder that JAX's configuration names."""
    cache = _users_cache()
    if cache is not None:
        cache.put(key, value)


def coordination_client() -> Any:
    """The client of the key-value store that the processes of a job share; None before `jax.distributed` started."""
    return _distributed.global_state.client


def place_in_job() -> tuple[int, int]:
    """This process's rank and the number of ranks, without making JAX look for its devices."""
    return _distributed.global_state.process_id, _distributed.global_state.num_processes


def listen_at(host: str) -> None:
    """Lets the collectives of CPUs listen at one address of this machine, in place of its host name's address.

    For a process that has joined a job and not yet computed.
    """

    def client() -> Any:
        collectives = None
        if jax.config.jax_cpu_collectives_implementation == "gloo":  # type: ignore[attr-defined]
            collectives = _jax.make_gloo_tcp_collectives(coordination_client(), hostname=host)
        return _xla_bridge.make_cpu_client(collectives)

    _xla_bridge.register_backend_factory("cpu", client, priority=0, fail_quietly=False)


def bytes_of(shape: Any, dtype: Any) -> int:
    """The bytes of an array, with size 1 for axes of size 0: NumPy and XLA count strides by them."""
    return math.prod([size or 1 for size in shape]) * getattr(dtype, "itemsize", 1)


def check_countable(shape: Any, dtype: Any, what: str) -> None:
    """Raises ValueError for a shape that XLA would end the process for: one of 2**63 bytes or more."""
    if not has_symbolic_size(shape) and bytes_of(shape, dtype) >= 1 << 63:
        raise ValueError(
            f"{what} has the shape {tuple(shape)} of {dtype}: {bytes_of(shape, dtype)} bytes, and no array can have "
            f"{1 << 63} or more."
        )


_array_type = _mlir.ir_type_handlers[jax.core.ShapedArray]


def _checked_array_type(aval: Any) -> Any:
    if all(type(size) is int for size in aval.shape):
        check_countable(aval.shape, aval.dtype, "An array of this program")
    return _array_type(aval)


_mlir.ir_type_handlers[jax.core.ShapedArray] = _checked_array_type  # called once for each array in a new program


def strong_wolfe_search(function: Any, at: jax.Array, direction: jax.Array, **options: Any) -> Any:
    """JAX's line search for the strong Wolfe conditions, which `jax.scipy.optimize` uses and does not show."""
    from jax._src.scipy.optimize.line_search import line_search

    return line_search(function, at, direction, **options)


def scan_counts(params: dict[str, Any]) -> tuple[int, int]:
    """How many operands of a `scan` with these parameters are constants of the loop, and how many are carried."""
    if "num_consts" in params:
        return params["num_consts"], params["num_carry"]
    consts, carried, _ = params["ft_in"].unpack()  # JAX 0.12
    return len(list(consts)), len(list(carried))


def jit_behind(fn: Any, jitted: Any, before: Any) -> Any:
    """A `jax.jit(fn)` that tries another way to the results before it compiles.

    A call whose program is in the cache of `jax.jit` finds it there, as fast as ever. For another call, `before(args)`
    may give the outputs, or None, and then the program is compiled. The results of `before` are not cached.

    The cache keeps a signature without a program as one that Python serves from then on. So the cache is emptied when
    such a signature gets its program, as `before.refused` says; the others are found again, in 0.1 ms each.

    Args:
        fn: a function of positional arguments.
        jitted: `jax.jit(fn)`.
        before: a function of the argument tuple.

    Returns:
        The function; `jitted` itself, which compiles at once, where this release of JAX has the parts no longer.
    """

    def missed(*args: Any) -> Any:
        outputs = before(args)
        if outputs is not None:
            return outputs, None, False
        if before.refused:
            before.refused = False
            behind._clear_cache()
        return compiled(*args)

    try:
        compiled = jitted._cache_miss
        key = _pxla.JitGlobalCppCacheKeys()
        behind = _jax.pjit(
            getattr(fn, "__name__", "fn"), fn, missed, [], [], key, _tree_util.dispatch_registry, _pxla.cc_shard_arg,
            _pjit._get_cpp_global_cache(False),
        )  # fmt: skip
        behind._fun, behind._jit_info = jitted._fun, jitted._jit_info
    except (AttributeError, TypeError) as gone:
        logger.debug("First calls are compiled, JAX %s keeps its jit otherwise: %s", jax.__version__, gone)
        return jitted
    return behind


_placements: dict[str, Any] = {}


def _placement() -> Any:
    """The device that results are on by default, with its sharding."""
    device = _placements.get("device")
    if device is None:
        device = _placements["device"] = jax.local_devices(backend="cpu")[0]
        _placements["sharding"] = jax.sharding.SingleDeviceSharding(device)
    return device


def computes() -> bool:
    """Whether operations on arrays compute at once: nothing is traced, or the trace is set aside.

    A transformation that names an axis may be open: JAX's `trace_state_clean` returns False then.
    """
    return _core.trace_ctx.trace is _core.eval_trace


class trace_kept:  # reads as a statement
    """While it is open, an exception leaves JAX's trace as it was.

    An interrupt between two lines of `jax.core.set_current_trace` leaves a trace open, in which all that follows is
    only traced then.
    """

    __slots__ = ("axes", "trace")

    def __enter__(self) -> None:
        self.trace, self.axes = _core.trace_ctx.trace, _core.trace_ctx.axis_env

    def __exit__(self, kind: Any, *exc: Any) -> None:
        if kind is not None:
            _core.trace_ctx.set_trace(self.trace)
            _core.trace_ctx.set_axis_env(self.axes)


def resides(value: Any) -> bool:
    """Whether a value is an array on the first CPU alone, of a dtype that NumPy has, and not deleted."""
    return (
        value.__class__ is ArrayImpl
        and value.sharding.__class__ is jax.sharding.SingleDeviceSharding
        and value.sharding._device is _placement()
        and not value.is_deleted()
    )


def placed(value: Any, aval: Any, committed: bool) -> jax.Array:
    """A jax array with the values of a NumPy array that nobody else may write to; 8 us (`jax.device_put`: 60)."""
    if value.__class__ is not np.ndarray or not (value.flags.owndata and value.flags.c_contiguous):
        value = np.array(value, order="C")  # a view may be of an input, whose memory may be given to another program
    aval = jax.core.ShapedArray(aval.shape, aval.dtype, weak_type=aval.weak_type)
    device = _placement()
    return _xla_client.batched_device_put(aval, _placements["sharding"], [value], [device], committed)


_OF_HOST = frozenset(np.dtype(name) for name in (*"?bhilqBHILQefdFD", jnp.bfloat16))


def of_host(values: np.ndarray, fresh: bool) -> jax.Array:
    """A NumPy array on the default device; `jnp.array` compiles a copy for each new shape.

    The array's memory may be taken if it is `fresh`, nobody else's.
    """
    if values.dtype not in _OF_HOST:  # raises, or converts
        return jnp.array(values)
    if _adopts_only and values.nbytes > _COPIED_INLINE:
        return jax.device_put(_aligned(values))
    if not fresh:
        values = np.array(values, order="C")
    if computes() and jax.default_backend() == "cpu" and jax.config.jax_default_device is None:  # type: ignore[attr-defined]
        return placed(values, jax.core.ShapedArray(values.shape, values.dtype), False)
    return jax.device_put(values)


def answer_comparisons(opened: Callable[[], Any]) -> None:
    """Let what `opened` gives (`interpreter/sizes.py`) answer comparisons of symbolic sizes; JAX does where it is None.

    Raises:
        RuntimeError: somebody else does at the moment.
    """
    from jax._src.export import shape_poly

    expression = shape_poly._DimExpr
    equal, at_least = expression.__eq__, shape_poly._geq_decision
    looking_up = [
        getattr(method, "__code__", None) for method in (jax.core.ShapedArray.__new__, jax.core.ShapedArray.__eq__)
    ]
    if hasattr(equal, "decides"):
        return
    if equal.__module__ != shape_poly.__name__:
        raise RuntimeError("The comparisons of symbolic sizes are watched.")

    def decided_equal(self: Any, other: Any) -> bool:
        sizes = opened()
        if sizes is None or (isinstance(other, expression) and other.scope is not self.scope):
            return equal(self, other)
        if sys._getframe(1).f_code in looking_up:
            return equal(self, other)  # JAX's table of avals compares some keys of unequal hashes; nothing is decided
        if not isinstance(other, expression) and not _core.is_constant_dim(other):
            return False
        return sizes.answer(self - other, False)

    def decided_at_least(left: Any, right: Any, text: Any) -> bool:
        sizes = opened()
        return at_least(left, right, text) if sizes is None else sizes.answer(left - right, True)

    decided_equal.decides = True  # type: ignore[attr-defined]
    expression.__eq__ = decided_equal  # type: ignore[method-assign]
    if not hasattr(at_least, "decides"):
        decided_at_least.decides = True  # type: ignore[attr-defined]
        shape_poly._geq_decision = decided_at_least  # type: ignore[assignment]
