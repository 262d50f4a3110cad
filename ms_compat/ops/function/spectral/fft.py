"""Fourier transforms: a table of names over `jnp.fft`, with MindSpore's checks and dtypes.

Integers and half precision are computed in Float32 (Complex64). The n-dimensional Hermitian transforms, which JAX
lacks, are the real-input transforms with the conjugate and the opposite normalisation.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_rank, check_shape
from ms_compat._core.dispatch.op import Op, op
from ms_compat._core.dispatch.operands import cast
from ms_compat._core.dtype import to_np_dtype
from ms_compat._core.errors import check_one_of
from ms_compat._core.faces import faces, table_faces
from ms_compat.ops.function.axes import axes_of, axis_of, integer, tensor

_NORMS = (None, "backward", "forward", "ortho")
_OPPOSITE = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


def _norm(api: str, norm: Any) -> str | None:
    check_one_of(api, "norm", norm, _NORMS)
    return norm


def _size(api: str, n: Any, argument: str = "n") -> Any:
    if n is not None and integer(api, argument, n) <= 0:
        raise ValueError(f"For '{api}', the '{argument}' must be greater than 0, but got {n}.")
    return n


def _input(api: str, x: Any, real: bool) -> jax.Array:
    x = tensor(api, x)
    if x.dtype == bool or real and x.dtype.kind == "c":
        raise TypeError(
            f"For '{api}', the 'input' must be of {'a real' if real else 'a number'} type, but got {x.dtype}."
        )
    return x if x.dtype.kind == "c" or x.dtype == np.float64 else cast(x, np.dtype(np.float32))


def _swapped(fn: Any, conjugate_first: bool):
    """The Hermitian transform, built from a real-output transform (or, reversed, a real-input one)."""

    def run(x, s, axes, norm):
        if conjugate_first:
            return fn(jnp.conj(x), s, axes, _OPPOSITE[norm])
        return jnp.conj(fn(x, s, axes, _OPPOSITE[norm]))

    return run


# name: (function, whether the input must be real, description)
_ONE = {
    "fft": (jnp.fft.fft, False, "Discrete Fourier transform"),
    "ifft": (jnp.fft.ifft, False, "Inverse discrete Fourier transform"),
    "rfft": (jnp.fft.rfft, True, "Fourier transform of real input, without the redundant half"),
    "irfft": (jnp.fft.irfft, False, "Inverse of `rfft`"),
    "hfft": (jnp.fft.hfft, False, "Fourier transform of input with Hermitian symmetry, which is real"),
    "ihfft": (jnp.fft.ihfft, True, "Inverse of `hfft`"),
}
_MANY = {
    "fft": (jnp.fft.fftn, False),
    "ifft": (jnp.fft.ifftn, False),
    "rfft": (jnp.fft.rfftn, True),
    "irfft": (jnp.fft.irfftn, False),
    "hfft": (_swapped(jnp.fft.irfftn, True), False),
    "ihfft": (_swapped(jnp.fft.rfftn, False), True),
}


def _one(api: str, fn: Any, real: bool, text: str) -> Op:
    def run(input, n=None, dim=-1, norm=None):
        x = _input(api, input, real)
        return fn(x, _size(api, n), axis_of(api, dim, x.ndim, "dim"), _norm(api, norm))

    run.__name__ = run.__qualname__ = api
    run.__doc__ = f"""{text} along a dimension.

    Args:
        input: a Tensor of numbers{" (real ones)" if real else ""}.
        n: length to cut or zero-fill to; an int.
        dim: an int.
        norm: "backward" (default), "forward" or "ortho".

    Raises:
        TypeError: no Tensor of such numbers.
        ValueError: `n`, `dim` or `norm` out of range.
    """
    return op(run, static=("n", "dim", "norm"))


def _many(api: str, fn: Any, real: bool, text: str, default: Any) -> Op:
    def run(input, s=None, dim=default, norm=None):
        x = _input(api, input, real)
        sizes = s if isinstance(s, tuple) else (s,)
        many = None if s is None else tuple([_size(api, n, "s") for n in sizes])
        if dim is None:
            axes = tuple(range(x.ndim))[-len(many) :] if many else tuple(range(x.ndim))
        else:
            axes = axes_of(api, dim, x.ndim, "dim")
        if many is not None and len(many) != len(axes):
            raise ValueError(f"For '{api}', 's' and 'dim' must have one length, but got {s} and {dim}.")
        return fn(x, many, axes, _norm(api, norm))

    run.__name__ = run.__qualname__ = api
    run.__doc__ = f"""{text} along several dimensions.

    Args:
        input: a Tensor of numbers{" (real ones)" if real else ""}.
        s: lengths to cut or zero-fill to; a tuple of ints.
        dim: a tuple of ints; None is the last ones that `s` counts, or all.
        norm: "backward" (default), "forward" or "ortho".

    Raises:
        TypeError: no Tensor of such numbers.
        ValueError: `s`, `dim` or `norm` out of range.
    """
    return op(run, static=("s", "dim", "norm"))


for _name, (_fn, _real, _text) in _ONE.items():
    globals()[_name] = _one(_name, _fn, _real, _text)
    globals()[f"{_name}2"] = _many(f"{_name}2", *_MANY[_name], _text, (-2, -1))
    globals()[f"{_name}n"] = _many(f"{_name}n", *_MANY[_name], _text, None)

NAMES = [f"{_name}{_suffix}" for _name in _ONE for _suffix in ("", "2", "n")]
table_faces(__name__, NAMES, "ops")


@faces("ops")
@op(static=("dim",))
def fftshift(input, dim=None):
    """The zero frequency moved to the middle, along dimensions (None: all)."""
    x = tensor("fftshift", input)
    return jnp.fft.fftshift(x, axes_of("fftshift", dim, x.ndim, "dim"))


@faces("ops")
@op(static=("dim",))
def ifftshift(input, dim=None):
    """The inverse of `fftshift`."""
    x = tensor("ifftshift", input)
    return jnp.fft.ifftshift(x, axes_of("ifftshift", dim, x.ndim, "dim"))


@op(static=("values", "dtype"))
def _constant(values, dtype):
    return jnp.asarray(np.array(values), dtype)


def _frequencies(api: str, fn: Any, n: Any, d: Any, dtype: Any) -> Any:
    _size(api, n)
    kind = np.dtype(np.float32) if dtype is None else to_np_dtype(dtype, api)
    return _constant(tuple(fn(n, d).tolist()), kind)


@faces("ops")
def fftfreq(n, d=1.0, dtype=None):
    """The frequencies of `fft`'s elements: Float32 [n].

    Args:
        n: a positive int.
        d: the distance of samples.
        dtype: another dtype.
    """
    return _frequencies("fftfreq", np.fft.fftfreq, n, d, dtype)


@faces("ops")
def rfftfreq(n, d=1.0, dtype=None):
    """The frequencies of `rfft`'s elements: Float32 [n // 2 + 1]; arguments as for `fftfreq`."""
    return _frequencies("rfftfreq", np.fft.rfftfreq, n, d, dtype)


_PADS = {"reflect": "reflect", "constant": "constant", "circular": "wrap", "replicate": "edge"}


@faces("ops")
@op(tensors="window", static=(
    "n_fft", "hop_length", "win_length", "center", "pad_mode", "normalized", "onesided", "return_complex",
))  # fmt: skip
def stft(
    x, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="REFLECT", normalized=False,
    onesided=None, return_complex=None,
):  # fmt: skip
    """Short-time Fourier transform: the transforms of overlapping windowed frames.

    Args:
        x: a Tensor [L] or [B, L].
        n_fft: length of a frame.
        hop_length: distance of frames; n_fft // 4 by default.
        win_length: length of the window, which is centred in a frame; n_fft by default.
        window: a Tensor [win_length]; ones by default.
        center: pad so that frame t is centred at t * hop_length.
        pad_mode: "REFLECT", "CONSTANT", "CIRCULAR" or "REPLICATE", for `center`.
        normalized: divide by sqrt(n_fft).
        onesided: leave out the redundant half; True by default for real input.
        return_complex: a complex result, or (the default for real input) real and imaginary parts in a last axis.

    Returns:
        Tensor [(B,) frequencies, frames(, 2)].

    Raises:
        ValueError: a length out of range, or another pad mode.
    """
    data = _input("stft", x, False)
    batch = data if data.ndim == 2 else data[None]
    check_rank("stft", "x", data, 1, 2)
    size = _size("stft", n_fft, "n_fft")
    hop = n_fft // 4 if hop_length is None else hop_length
    wide = n_fft if win_length is None else win_length
    _size("stft", hop, "hop_length")
    if not 0 < wide <= n_fft:
        raise ValueError(f"For 'stft', the 'win_length' must be in (0, {n_fft}], but got {wide}.")
    if pad_mode.lower() not in _PADS:
        raise ValueError(f"For 'stft', the 'pad_mode' must be one of {list(_PADS)}, but got {pad_mode!r}.")
    if center:
        batch = jnp.pad(batch, ((0, 0), (size // 2, size // 2)), mode=_PADS[pad_mode.lower()])
    if batch.shape[1] < size:
        raise ValueError(f"For 'stft', the 'n_fft' must not exceed the length {batch.shape[1]}, but got {size}.")
    weights = jnp.ones(wide, batch.real.dtype) if window is None else window
    check_shape("stft", "window", weights, (wide,))
    before = (size - wide) // 2
    weights = jnp.pad(weights, (before, size - wide - before))
    frames = np.arange(0, batch.shape[1] - size + 1, hop)[:, None] + np.arange(size)
    cut = batch[:, frames] * weights
    complex_input = cut.dtype.kind == "c"
    half = not complex_input if onesided is None else onesided
    out = jnp.fft.fft(cut)[..., : size // 2 + 1] if half else jnp.fft.fft(cut)
    out = jnp.swapaxes(out / np.sqrt(size).astype(cut.real.dtype) if normalized else out, 1, 2)
    if not (complex_input if return_complex is None else return_complex):
        out = jnp.stack([out.real, out.imag], -1)
    return out if data.ndim == 2 else out[0]
