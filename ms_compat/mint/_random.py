"""mint's random functions: PyTorch's argument orders and dtypes over the draws of `mindspore.ops`.

A `generator` has its own stream (`mindspore.Generator`); without one, draws come from the process's stream, which
`mindspore.set_seed` seeds.
"""

from __future__ import annotations

from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_above
from ms_compat._core.dispatch.random import drawing_from
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.random import draws
from ms_compat.ops.function.shape import create


@faces("mint")
def rand(*size, generator=None, dtype=None, device=None):
    """Uniform random numbers in [0, 1).

    >>> from ms_compat import mint
    >>> print(mint.rand(2, 3).shape)
    (2, 3)
    """
    no_effect("mint.rand", "JAX places arrays by itself", device=device)
    with drawing_from(generator, "mint.rand"):
        return draws.rand(*size, dtype=dtype)


@faces("mint")
def randn(*size, generator=None, dtype=None, device=None):
    """Standard normal random numbers.

    >>> from ms_compat import mint
    >>> print(mint.randn(2, 3).shape)
    (2, 3)
    """
    no_effect("mint.randn", "JAX places arrays by itself", device=device)
    with drawing_from(generator, "mint.randn"):
        return draws.randn(*size, dtype=dtype)


@faces("mint")
def rand_like(input, *, dtype=None, device=None):
    """Uniform random numbers in the shape and, by default, the dtype of a tensor.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.rand_like(Tensor([[1.0, 2.0]])).shape)
    (1, 2)
    """
    no_effect("mint.rand_like", "JAX places arrays by itself", device=device)
    return draws.rand_like(input, dtype=input.dtype if dtype is None else dtype)


@faces("mint")
def randn_like(input, *, dtype=None, device=None):
    """Standard normal random numbers in the shape and, by default, the dtype of a tensor."""
    no_effect("mint.randn_like", "JAX places arrays by itself", device=device)
    return draws.randn_like(input, dtype=input.dtype if dtype is None else dtype)


@faces("mint")
def randint(*args, generator=None, dtype=None, device=None):
    """Random integers: `randint(high, size)` or `randint(low, high, size)`; Int64 by default.

    >>> from ms_compat import mint
    >>> print(mint.randint(0, 5, (2, 3)).shape)
    (2, 3)
    """
    no_effect("mint.randint", "JAX places arrays by itself", device=device)
    low, high, size = (0, *args) if len(args) == 2 else args
    with drawing_from(generator, "mint.randint"):
        return _in_dtype(draws.randint(low, high, tuple(size), dtype=mstype.int64), dtype)


@faces("mint")
def randint_like(input, *args, dtype=None, device=None):
    """Random integers in the shape and, by default, the dtype of a tensor: below `high`, or from `low` on."""
    no_effect("mint.randint_like", "JAX places arrays by itself", device=device)
    low, high = (0, *args) if len(args) == 1 else args
    drawn = draws.randint_like(input, low, high, dtype=mstype.int64)
    return _in_dtype(drawn, input.dtype if dtype is None else dtype)


def _in_dtype(drawn: Tensor, dtype: Any) -> Tensor:
    return drawn if dtype is None else create.cast(drawn, dtype)


@faces("mint")
def randperm(n, *, generator=None, dtype=mstype.int64):
    """The numbers below `n` in random order."""
    with drawing_from(generator, "mint.randperm"):
        return draws.permutation("mint.randperm", n, dtype)


@faces("mint")
def normal(mean=0.0, std=1.0, size=None, generator=None):
    """Normal random numbers; the size defaults to the size of `mean` and `std`.

    >>> from ms_compat import mint
    >>> print(mint.normal(0.0, 1.0, (2, 3)).shape)
    (2, 3)
    """
    if size is None:
        shapes = [v.shape for v in (mean, std) if isinstance(v, Tensor)]
        size = shapes[0] if shapes else ()
    with drawing_from(generator, "mint.normal"):
        return draws.normal(tuple(size), mean, std)


@faces("mint")
def bernoulli(input, *, generator=None):
    """0 or 1, with the tensor's elements as probabilities of 1.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.bernoulli(Tensor([0.0, 1.0])))
    [0. 1.]
    """
    with drawing_from(generator, "mint.bernoulli"):
        return create.cast(draws.bernoulli(input, input), input.dtype)


@faces("mint")
def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Positions drawn with the elements as weights; Int64.

    Raises:
        ValueError: `num_samples` is not positive, or more than there are positions without replacement.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.multinomial(Tensor([0.0, 0.0, 1.0]), 1))
    [2]
    """
    check_above("mint.multinomial", "num_samples", num_samples, 0)
    with drawing_from(generator, "mint.multinomial"):
        return create.cast(draws.multinomial(input, num_samples, replacement), mstype.int64)
