"""`mindspore.common.initializer`: what new Parameters hold.

`initializer(...)` returns a Tensor without data that keeps its initializer; `Tensor.init_data` calls `fill`. Values
are drawn on the host (`_draws.py`) from a seed that numpy's global generator gives, so `np.random.seed` and `set_seed`
repeat them, they equal MindSpore's, and no shape costs a compilation. A user's class overrides `_initialize(arr)` and
writes into the array.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import jax
import ml_dtypes
import numpy as np

from ms_compat._compile.analysis.refusals import forbid
from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_above, check_choice
from ms_compat._core.tensor import Tensor, to_device
from ms_compat.common import _draws

_ALIAS: dict[str, type[Initializer]] = {}
_HALVES = (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16))


def _register(*aliases: str) -> Callable:
    """Class decorator: a class is found under its lower-case name and its aliases."""

    def register(cls: type) -> type:
        for alias in (cls.__name__.lower(), *(a.lower() for a in aliases)):
            _ALIAS[alias] = cls
        return cls

    return register


class Initializer:
    """Base of all initializers. A user's class overrides `_initialize(self, arr)`, which fills a numpy array.

    >>> import numpy as np
    >>> from ms_compat import float32
    >>> from ms_compat.common.initializer import Initializer, initializer
    >>> class Seven(Initializer):
    ...     def _initialize(self, arr):
    ...         arr[:] = 7
    >>> print(initializer(Seven(), [2], float32).init_data())
    [7. 7.]
    """

    _seed: int | None = None

    def __init__(self, **kwargs: Any):
        self._kwargs = kwargs

    @property
    def seed(self) -> int | None:
        """The user's seed for this initializer, or None for seeds of numpy's global generator."""
        return self._seed

    @seed.setter
    def seed(self, value: int | None) -> None:
        self._seed = value

    def _initialize(self, arr: np.ndarray) -> Any:
        """Fill `arr` in place; an array that is returned takes its place."""
        raise NotImplementedError(f"{type(self).__name__} must override '_initialize(self, arr)'.")

    def __call__(self, arr: np.ndarray) -> Any:
        return self._initialize(arr)

    def fill(self, shape: tuple[int, ...], dtype: mstype.Type, slice_index: int = 0) -> jax.Array:
        """The values as a jax array; called by `Tensor.init_data`.

        Args:
            shape: sizes.
            dtype: mindspore dtype.
            slice_index: number of a slice; slices draw different numbers because the stream moves on.
        """
        np_dtype = dtype.np_dtype
        array = self._values(shape, np_dtype)
        if array.dtype != np_dtype:
            array = array.astype(np_dtype)
        return to_device(array, fresh=True)

    def _values(self, shape: tuple[int, ...], np_dtype: np.dtype) -> np.ndarray:
        array = np.ones(shape, np.float32 if np_dtype in _HALVES else np_dtype)
        returned = self._initialize(array)
        if returned is None:
            return array
        if isinstance(returned, Tensor):
            returned = returned.asnumpy()
        return np.asarray(returned).reshape(shape)


class _Drawn(Initializer):
    """An initializer of this module: `_draw(seed, shape)` returns the values in float32."""

    _draw: Callable[[int, tuple[int, ...]], np.ndarray]

    def _values(self, shape: tuple[int, ...], np_dtype: np.dtype) -> np.ndarray:
        if type(self)._initialize is not _Drawn._initialize:
            return Initializer._values(self, shape, np_dtype)
        return self._draw(_draws.next_seed() if self._seed is None else self._seed, shape)

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = self._draw(_draws.next_seed(), arr.shape)


def _normal(seed: int, shape: tuple[int, ...], sigma: float) -> np.ndarray:
    return _draws.normal(seed, shape, 0.0, sigma)


def _uniform(seed: int, shape: tuple[int, ...], bound: float) -> np.ndarray:
    return _draws.uniform(seed, shape, -bound, bound)


# -- fans ------------------------------------------------------------------------------------------------------------
def _calculate_fan_in_and_fan_out(shape: tuple[int, ...]) -> tuple[int, int]:
    """Inputs and outputs of one unit in a weight [out, in, *kernel].

    Raises:
        ValueError: fewer than 2 dimensions.
    """
    if len(shape) < 2:
        raise ValueError(f"'fan_in' and 'fan_out' need a tensor of at least 2 dimensions, but got {len(shape)}.")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def _calculate_correct_fan(shape: tuple[int, ...], mode: str) -> int:
    """The fan that `mode` ("fan_in" or "fan_out") names; ValueError for another."""
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"'mode' must be one of ['fan_in', 'fan_out'], but got {mode!r}.")
    return _calculate_fan_in_and_fan_out(shape)[mode == "fan_out"]


def _calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """The factor that keeps the variance through an activation; ValueError for an unknown one."""
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"For 'HeUniform', the 'negative_slope' must be int or float, but got {slope!r}.")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity in ("sigmoid", "linear", "conv1d", "conv2d", "conv3d", *(f"conv_transpose{i}d" for i in (1, 2, 3))):
        return 1
    raise ValueError(
        "For 'HeUniform', the 'nonlinearity' must be one of ['sigmoid', 'tanh', 'relu', 'leaky_relu', "
        "'linear'], but got "
        f"{nonlinearity!r}."
    )


# -- constants -------------------------------------------------------------------------------------------------------
@_register("zeros")
class Zero(Initializer):
    """Fills with zeros.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import Zero, initializer
    >>> print(initializer(Zero(), [2, 2], ms.float32).init_data())
    [[0. 0.]
     [0. 0.]]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        arr.fill(0)

    def _values(self, shape: tuple[int, ...], np_dtype: np.dtype) -> np.ndarray:
        return np.zeros(shape, np_dtype)


@_register("ones")
class One(Initializer):
    """Fills with ones.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import One, initializer
    >>> print(initializer(One(), [2, 2], ms.float32).init_data())
    [[1. 1.]
     [1. 1.]]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        arr.fill(1)

    def _values(self, shape: tuple[int, ...], np_dtype: np.dtype) -> np.ndarray:
        return np.ones(shape, np_dtype)


class Constant(Initializer):
    """Fills with one number.

    Args:
        value (Union[int, float, numpy.ndarray]): the number, or an array with one element.

    Raises:
        ValueError: (when it fills) `value` has more than one element.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import Constant, initializer
    >>> print(initializer(Constant(3), [2], ms.float32).init_data())
    [3. 3.]
    """

    def __init__(self, value: Any):
        super().__init__(value=value)
        self.value = value

    def _initialize(self, arr: np.ndarray) -> None:
        if np.size(self.value) != 1:
            raise ValueError(f"For 'Constant', the 'value' must be a number, but got {self.value!r:.80}.")
        arr.fill(self.value.item() if isinstance(self.value, (np.ndarray, np.generic)) else self.value)


@_register()
class Identity(Initializer):
    """Fills a matrix with the identity.

    Raises:
        ValueError: (when it fills) the tensor does not have 2 dimensions.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import Identity, initializer
    >>> print(initializer(Identity(), [2, 2], ms.float32).init_data())
    [[1. 0.]
     [0. 1.]]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim != 2:
            raise ValueError(f"For 'Identity', the tensor must have 2 dimensions, but got {arr.ndim}.")
        arr[...] = np.eye(*arr.shape)


@_register()
class Dirac(Initializer):
    """Fills a convolution weight that returns its input unchanged, as far as channels match.

    Args:
        groups (int): number of output channel groups, each initialized so.

    Raises:
        ValueError: (when it fills) the tensor does not have 3, 4 or 5 dimensions, or its first size is not divisible by
            `groups`.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import Dirac, initializer
    >>> print(initializer(Dirac(), [1, 1, 3], ms.float32).init_data())
    [[[0. 1. 0.]]]
    """

    def __init__(self, groups: int = 1):
        super().__init__(groups=groups)
        self.groups = groups

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim not in (3, 4, 5):
            raise ValueError(f"For 'Dirac', the tensor must have 3, 4 or 5 dimensions, but got {arr.ndim}.")
        if arr.shape[0] % self.groups:
            raise ValueError(
                f"For 'Dirac', the first size must be divisible by groups, but got {arr.shape[0]}, {self.groups}."
            )
        arr.fill(0)
        block = arr.shape[0] // self.groups
        centre = tuple(n // 2 for n in arr.shape[2:])
        for group in range(self.groups):
            for channel in range(min(block, arr.shape[1])):
                arr[(group * block + channel, channel, *centre)] = 1


# -- distributions ---------------------------------------------------------------------------------------------------
@_register()
class Normal(_Drawn):
    """Fills with numbers drawn from a normal distribution.

    Args:
        sigma (float): standard deviation.
        mean (float): mean.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import Normal, initializer
    >>> values = initializer(Normal(sigma=0.01, mean=5.0), [100], ms.float32).init_data()
    >>> round(values.mean().item(), 1)
    5.0
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0):
        super().__init__(sigma=sigma, mean=mean)
        self.sigma = sigma
        self.mean = mean

    def _draw(self, seed, shape):
        return _draws.normal(seed, shape, self.mean, self.sigma)


@_register()
class TruncatedNormal(_Drawn):
    """Fills with normally distributed numbers in [a, b], which are absolute limits, not multiples of `sigma`.

    Args:
        sigma (float): standard deviation.
        mean (float): mean.
        a (float): lower limit.
        b (float): upper limit.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import TruncatedNormal, initializer
    >>> values = initializer(TruncatedNormal(sigma=1.0, a=-0.5, b=0.5), [100], ms.float32).init_data()
    >>> bool(values.asnumpy().max() <= 0.5)
    True
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0):
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma = sigma
        self.mean = mean
        self.a = a
        self.b = b

    def _draw(self, seed, shape):
        return _draws.truncated_normal(seed, shape, self.a, self.b, self.mean, self.sigma)


@_register()
class Uniform(_Drawn):
    """Fills with numbers drawn from the uniform distribution on [-scale, scale].

    Args:
        scale (float): the bound.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import Uniform, initializer
    >>> values = initializer(Uniform(0.25), [100], ms.float32).init_data()
    >>> bool(abs(values.asnumpy()).max() <= 0.25)
    True
    """

    def __init__(self, scale: float = 0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def _draw(self, seed, shape):
        return _uniform(seed, shape, self.scale)


@_register("xavier_uniform")
class XavierUniform(_Drawn):
    """Fills with uniform numbers on [-b, b], where b = gain * sqrt(6 / (fan_in + fan_out)).

    The fans count the inputs and outputs that a unit has: for a weight [out, in, *kernel] they are in * kernel and
    out * kernel. Source: Glorot and Bengio, AISTATS 2010.

    Args:
        gain (float): the factor.

    Raises:
        ValueError: (when it fills) the tensor has fewer than 2 dimensions.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import XavierUniform, initializer
    >>> values = initializer(XavierUniform(), [3, 3], ms.float32).init_data()
    >>> bool(abs(values.asnumpy()).max() <= 1)
    True
    """

    def __init__(self, gain: float = 1):
        super().__init__(gain=gain)
        self.gain = gain

    def _draw(self, seed, shape):
        return _uniform(seed, shape, self.gain * math.sqrt(6.0 / sum(_calculate_fan_in_and_fan_out(shape))))


@_register("xavier_normal")
class XavierNormal(_Drawn):
    """Fills with normal numbers of standard deviation gain * sqrt(2 / (fan_in + fan_out)).

    The fans count the inputs and outputs that a unit has: for a weight [out, in, *kernel] they are in * kernel and
    out * kernel. Source: Glorot and Bengio, AISTATS 2010.

    Args:
        gain (float): the factor.

    Raises:
        ValueError: (when it fills) the tensor has fewer than 2 dimensions.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import XavierNormal, initializer
    >>> initializer(XavierNormal(), [3, 3], ms.float32).init_data().shape
    (3, 3)
    """

    def __init__(self, gain: float = 1):
        super().__init__(gain=gain)
        self.gain = gain

    def _draw(self, seed, shape):
        return _normal(seed, shape, self.gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(shape))))


class _He(_Drawn):
    """Standard deviation gain / sqrt(fan) (He et al. 2015)."""

    def __init__(self, negative_slope: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        self.negative_slope = negative_slope
        self.mode = mode
        self.nonlinearity = nonlinearity

    def _deviation(self, shape: tuple[int, ...]) -> float:
        fan = _calculate_correct_fan(shape, self.mode)
        return _calculate_gain(self.nonlinearity, self.negative_slope) / math.sqrt(fan)


@_register("he_uniform")
class HeUniform(_He):
    """Fills with uniform numbers on [-b, b], where b = sqrt(3) * gain / sqrt(fan).

    The gain is sqrt(2 / (1 + negative_slope ** 2)) for "leaky_relu", sqrt(2) for "relu", 5 / 3 for "tanh" and 1
    otherwise. Source: He et al., arXiv:1502.01852.

    Args:
        negative_slope (float): slope of the leaky ReLU that follows.
        mode (str): "fan_in" or "fan_out": of a weight [out, in, *kernel], in * kernel or out * kernel.
        nonlinearity (str): "leaky_relu", "relu", "tanh", "sigmoid" or "linear".

    Raises:
        ValueError: (when it fills) the tensor has fewer than 2 dimensions, or an argument is unknown.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import HeUniform, initializer
    >>> values = initializer(HeUniform(), [2, 6], ms.float32).init_data()
    >>> bool(abs(values.asnumpy()).max() <= 1)
    True
    """

    def _draw(self, seed, shape):
        return _uniform(seed, shape, math.sqrt(3.0) * self._deviation(shape))


@_register("he_normal")
class HeNormal(_He):
    """Fills with normal numbers of standard deviation gain / sqrt(fan).

    The gain is sqrt(2 / (1 + negative_slope ** 2)) for "leaky_relu", sqrt(2) for "relu", 5 / 3 for "tanh" and 1
    otherwise. Source: He et al., arXiv:1502.01852.

    Args:
        negative_slope (float): slope of the leaky ReLU that follows.
        mode (str): "fan_in" or "fan_out": of a weight [out, in, *kernel], in * kernel or out * kernel.
        nonlinearity (str): "leaky_relu", "relu", "tanh", "sigmoid" or "linear".

    Raises:
        ValueError: (when it fills) the tensor has fewer than 2 dimensions, or an argument is unknown.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import HeNormal, initializer
    >>> initializer(HeNormal(nonlinearity="relu"), [2, 6], ms.float32).init_data().shape
    (2, 6)
    """

    def _draw(self, seed, shape):
        return _normal(seed, shape, self._deviation(shape))


@_register()
class VarianceScaling(_Drawn):
    """Numbers of variance scale / fan.

    Args:
        scale (float): > 0.
        mode (str): "fan_in", "fan_out" or "fan_avg".
        distribution (str): "uniform", "untruncated_normal", or "truncated_normal", for which MindSpore 2.10 draws
            uniform numbers.

    Raises:
        ValueError: another value.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import VarianceScaling, initializer
    >>> values = initializer(VarianceScaling(distribution="uniform"), [2, 3], ms.float32).init_data()
    >>> bool(abs(values.asnumpy()).max() <= 1)
    True
    """

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal"):
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        check_above("VarianceScaling", "scale", scale, 0)
        check_choice("VarianceScaling", "mode", mode, ("fan_in", "fan_out", "fan_avg"))
        check_choice(
            "VarianceScaling", "distribution", distribution, ("uniform", "truncated_normal", "untruncated_normal")
        )
        self.scale = scale
        self.mode = mode
        self.distribution = distribution

    def _draw(self, seed, shape):
        fan_in, fan_out = _calculate_fan_in_and_fan_out(shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "untruncated_normal":
            return _normal(seed, shape, math.sqrt(variance))
        return _uniform(seed, shape, math.sqrt(3 * variance))


@_register()
class Sparse(_Drawn):
    """Normal numbers of which in each column the same share is zero.

    Args:
        sparsity (float): share of zeros in a column.
        sigma (float): standard deviation of the rest.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import Sparse, initializer
    >>> values = initializer(Sparse(0.5), [4, 2], ms.float32).init_data()
    >>> (values.asnumpy() == 0).sum(0).tolist()
    [2, 2]
    """

    def __init__(self, sparsity: float, sigma: float = 0.01):
        super().__init__(sparsity=sparsity, sigma=sigma)
        self.sparsity = sparsity
        self.sigma = sigma

    def _draw(self, seed, shape):
        if len(shape) != 2:
            raise ValueError(f"For 'Sparse', the tensor must have 2 dimensions, but got {len(shape)}.")
        out = _normal(seed, shape, self.sigma)
        zeros = math.ceil(self.sparsity * shape[0])
        for column in out.T:
            column[np.random.permutation(shape[0])[:zeros]] = 0
        return out


@_register()
class Orthogonal(_Drawn):
    """A matrix [first size, all others] with orthonormal rows or columns, whichever are fewer, times a factor.

    Args:
        gain (float): the factor.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import Orthogonal, initializer
    >>> q = initializer(Orthogonal(), [2, 3], ms.float32).init_data().asnumpy()
    >>> abs((q @ q.T).round(3)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(self, gain: float = 1.0):
        super().__init__(gain=gain)
        self.gain = gain

    def _draw(self, seed, shape):
        if len(shape) < 2:
            raise ValueError(f"For 'Orthogonal', the tensor must have at least 2 dimensions, but got {len(shape)}.")
        rows, columns = shape[0], math.prod(shape[1:])
        data = _normal(seed, (rows, columns), 1.0)
        q, r = np.linalg.qr(data.T if rows < columns else data)
        q *= np.sign(np.diagonal(r))
        return np.ascontiguousarray((q.T if rows < columns else q).reshape(shape) * self.gain)


# -- the function ----------------------------------------------------------------------------------------------------
def initializer(init: Any, shape: Any = None, dtype: mstype.Type = mstype.float32) -> Tensor:
    """A Tensor that is filled by an initializer when `init_data` is called (Parameters and Cells do so).

    Args:
        init (Union[Tensor, str, Initializer, number]): an initializer, the name of one in any case ("normal",
            "he_uniform", "zeros"), a number, or a Tensor, which is returned as it is.
        shape (Union[tuple, list, int]): sizes, positive.
        dtype (mindspore.dtype): type.

    Returns:
        Tensor with `has_init` True, or `init` itself.

    Raises:
        TypeError: `init` or `dtype` has another type.
        ValueError: an unknown name, a size that is not positive, a Tensor of another shape.

    >>> import ms_compat as ms
    >>> from ms_compat.common.initializer import initializer
    >>> print(initializer("ones", [2, 2], ms.float32).init_data())
    [[1. 1.]
     [1. 1.]]
    """
    if not isinstance(init, (Tensor, str, Initializer, int, float, complex)):
        raise TypeError(
            "For 'initializer', the 'init' must be a Tensor, number, str or Initializer, but got "
            f"{init!r:.80} of type {type(init).__name__}."
        )
    if isinstance(init, Tensor):
        if shape is None or tuple(init.shape) != _sizes(shape):
            raise ValueError(f"For 'initializer', the shape of 'init' {init.shape} must equal 'shape' {shape}.")
        return init
    if isinstance(init, str):
        if init.lower() not in _ALIAS:
            raise ValueError(
                f"For 'initializer', there is no initializer '{init}'. Names: {', '.join(sorted(_ALIAS))}."
            )
        init = _ALIAS[init.lower()]()
    elif not isinstance(init, Initializer):
        init = Constant(init)
    return Tensor(shape=_sizes(shape), dtype=dtype, init=init)


def _sizes(shape: Any) -> tuple[int, ...]:
    sizes = None
    if isinstance(shape, (tuple, list)):
        sizes = tuple(shape)
    elif isinstance(shape, (int, float, Tensor)):
        sizes = (shape,)
    if sizes is None:
        raise ValueError(f"For 'initializer', the 'shape' must be a tuple, list or int, but got {shape!r}.")
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size <= 0:
            raise ValueError(f"For 'initializer', the sizes in 'shape' must be positive ints, but got {shape!r:.80}.")
    return tuple(int(size) for size in sizes)


forbid(sys.modules[__name__], "common.initializer")
