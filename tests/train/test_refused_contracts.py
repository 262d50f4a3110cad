"""Errors of single calls by the classes that MindSpore 2.10 raises."""

import pytest

import ms_compat as ms
from ms_compat import nn


def test_choice_func_that_fails(tmp_path):
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(nn.Dense(2, 2), path)
    for choice in (lambda name: name.startswith(123), lambda name: 1 / 0):
        with pytest.raises(ValueError, match="'choice_func' failed"):
            ms.load_checkpoint(path, choice_func=choice)
