"""`JitConfig`: compile options as an object. XLA has one level; values are checked and kept, not acted on."""

from __future__ import annotations

_CHOICES = {
    "jit_level": ("", "O0", "O1", "O2"),
    "exc_mode": ("auto", "sink", "no_sink"),
    "jit_syntax_level": ("", "STRICT", "COMPATIBLE", "LAX"),
    "debug_level": ("RELEASE", "DEBUG"),
    "infer_boost": ("on", "off"),
}


class JitConfig:
    """Options for `jit` and `Cell.set_jit_config`.

    Args:
        jit_syntax_level: how much of Python a compiled Cell may use: "LAX" (the default), "COMPATIBLE" or "STRICT".
        jit_level, exc_mode, debug_level, infer_boost: as in MindSpore; without effect on XLA.
        kwargs: further options, kept.

    Raises:
        ValueError: an option has a value that MindSpore does not know.

    >>> import ms_compat as ms
    >>> ms.JitConfig(jit_level="O1").jit_config_dict["jit_level"]
    'O1'
    """

    def __init__(
        self, jit_level="", exc_mode="auto", jit_syntax_level="", debug_level="RELEASE", infer_boost="off", **kwargs
    ):
        given = {
            "jit_level": jit_level,
            "exc_mode": exc_mode,
            "jit_syntax_level": jit_syntax_level,
            "debug_level": debug_level,
            "infer_boost": infer_boost,
        }
        for name, value in given.items():
            if value not in _CHOICES[name]:
                known = [choice for choice in _CHOICES[name] if choice]
                raise ValueError(f"For 'JitConfig', '{name}' must be one of {known}, but got {value!r}.")
        self.jit_config_dict = {**kwargs, **given}
