"""Bytes of encoded files that tiny datasets are made from: pictures, sounds, MATLAB's arrays."""

import io

import numpy as np


def values(*shape):
    """Bytes without a random generator."""
    n = np.arange(int(np.prod(shape)), dtype=np.int64)
    return ((n * 37 + n * n * 11) % 256).astype(np.uint8).reshape(shape)


def _picture(array, kind, **settings):
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(array).save(out, kind, **settings)
    return out.getvalue()


def png(array):
    """A PNG file."""
    return _picture(array, "PNG")


def bmp(array):
    """A BMP file."""
    return _picture(array, "BMP")


def jpeg(array):
    """A JPEG file."""
    return _picture(array, "JPEG", quality=95)


def wav(samples, rate):
    """A WAV file of 16 bits."""
    import wave

    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.array(samples, "<i2").tobytes())
    return out.getvalue()


def mat(**arrays):
    """A MATLAB file."""
    from scipy.io import savemat

    out = io.BytesIO()
    savemat(out, arrays)
    return out.getvalue()
