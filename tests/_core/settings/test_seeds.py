"""What `set_seed` tells modules that must not import JAX."""

import ms_compat as ms
from ms_compat._core.settings import seeds


def test_listeners_are_called_and_the_seed_is_read(monkeypatch):
    heard = []
    monkeypatch.setattr(seeds, "_listeners", [*seeds._listeners, heard.append])
    ms.set_seed(41)
    assert heard == [41] and seeds.user_seed() == 41


def test_a_process_without_jax_has_no_seed(monkeypatch):
    monkeypatch.setattr(seeds, "_readers", [])
    assert seeds.user_seed() is None
