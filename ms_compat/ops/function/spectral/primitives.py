"""The Fourier transforms that MindSpore has as primitives: `FFTWithSize` and `STFT`."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_choice, check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_one_of
from ms_compat._core.faces import faces


@faces(primitive="FFTWithSize(signal_ndim, inverse, real, norm='backward', onesided=True, signal_sizes=())(x)")
@op(static=("signal_ndim", "inverse", "real", "norm", "onesided", "signal_sizes"), name="FFTWithSize")
def fft_with_size(x, signal_ndim, inverse, real, norm="backward", onesided=True, signal_sizes=()):
    """Fourier transforms of the last one to three dimensions, of complex or real signals.

    Args:
        x: a complex Tensor, or a real one for the real transform.
        signal_ndim (int): how many dimensions are transformed: 1, 2 or 3.
        inverse (bool): the inverse transform.
        real (bool): the signal is real; `inverse=False` gives its spectrum.
        norm (str): 'backward', 'forward' or 'ortho'.
        onesided (bool): a real signal's spectrum holds one half.
        signal_sizes (tuple): the real signal's sizes in an inverse transform.

    Raises:
        TypeError: the dtype does not fit the transform.
        ValueError: `signal_ndim` is not 1, 2 or 3, `norm` is unknown, or the real signal of a one-sided spectrum
            would be empty.
    """
    check_choice("FFTWithSize", "signal_ndim", signal_ndim, (1, 2, 3))
    check_one_of("FFTWithSize", "norm", norm, ("backward", "forward", "ortho"))
    is_complex = jnp.issubdtype(x.dtype, jnp.complexfloating)
    if is_complex == (real and not inverse):
        wanted = "real" if real and not inverse else "complex"
        raise TypeError(f"For 'FFTWithSize', the input of this transform must be {wanted}, but got {x.dtype}.")
    axes = tuple(range(x.ndim - signal_ndim, x.ndim))
    if not real:
        return (jnp.fft.ifftn if inverse else jnp.fft.fftn)(x, axes=axes, norm=norm)
    if not inverse:
        x = x if x.dtype == jnp.float64 else x.astype(jnp.float32)
        return (jnp.fft.rfftn if onesided else jnp.fft.fftn)(x, axes=axes, norm=norm)
    sizes = tuple(signal_sizes) or None
    if onesided:
        if sizes is None and x.shape[-1] == 1:
            raise ValueError("For 'FFTWithSize', a one-sided spectrum must not have 1 as its last dimension.")
        return jnp.fft.irfftn(x, s=sizes, axes=axes, norm=norm)
    return jnp.fft.ifftn(x, s=sizes, axes=axes, norm=norm).real


@faces(primitive="STFT(n_fft, hop_length, win_length, normalized, onesided, return_complex)(x, window)")
@op(
    static=("n_fft", "hop_length", "win_length", "normalized", "onesided", "return_complex"),
    name="STFT",
    tensors="x window",
)
def stft_frames(x, window, n_fft, hop_length, win_length, normalized, onesided, return_complex):
    """The spectra of windowed frames from signals [L] or [B, L].

    Args:
        x: a real or complex Tensor.
        window: [win_length], padded to `n_fft` on both sides.
        n_fft, hop_length, win_length (int): sizes of a frame, of the step between frames and of the window.
        normalized (bool): divide by the root of `n_fft`.
        onesided (bool): one half of a real signal's spectrum.
        return_complex (bool): complex results; else real and imaginary part in a last dimension of 2.

    Raises:
        ValueError: the input is neither 1-d nor 2-d, a size does not fit, or the window has another length.
    """
    check_rank("STFT", "input", x, 1, 2)
    if not (0 < n_fft <= x.shape[-1]) or hop_length <= 0 or not 0 < win_length <= n_fft:
        raise ValueError(
            f"For 'STFT', 0 < win_length <= n_fft <= {x.shape[-1]} and hop_length > 0 must hold, but got n_fft "
            f"{n_fft}, hop_length {hop_length} and win_length {win_length}."
        )
    if window.shape != (win_length,):
        raise ValueError(f"For 'STFT', the shape of 'window' must be ({win_length},), but got {window.shape}.")
    left = (n_fft - win_length) // 2
    window = jnp.pad(window, (left, n_fft - win_length - left))
    count = (x.shape[-1] - n_fft) // hop_length + 1
    at = np.arange(count)[:, None] * hop_length + np.arange(n_fft)
    frames = x[..., at] * window
    complex_in = jnp.issubdtype(frames.dtype, jnp.complexfloating)
    out = (jnp.fft.rfft if onesided and not complex_in else jnp.fft.fft)(frames)
    out = jnp.swapaxes(out / jnp.sqrt(n_fft).astype(out.real.dtype) if normalized else out, -1, -2)
    return out if return_complex else jnp.stack([out.real, out.imag], -1)
