"""Plug-ins of MindSpore's compiler are not loaded; errors recorded with MindSpore 2.10."""

import pytest

from ms_compat import graph


def test_a_pass_is_not_registered(caplog):
    assert graph.register_custom_pass("fuse", "/none.so", "cpu", graph.CustomPassType.FULL_GRAPH) is False
    assert "mindspore.rewrite" in caplog.text
    assert [each.value for each in graph.CustomPassType] == [0, 1]
    with pytest.raises(TypeError, match="pass_type"):
        graph.register_custom_pass("fuse", "/none.so", pass_type=3)


def test_a_backend_is_not_registered(tmp_path, caplog):
    library, text = tmp_path / "a.so", tmp_path / "a.txt"
    for path in (library, text):
        path.write_bytes(b"a")
    assert graph.register_custom_backend("mine", str(library)) is False
    assert "only backend" in caplog.text
    for arguments in (("a", None), (None, "a.so"), ("a", "a.so"), ("a", "/none.so"), ("a", str(text))):
        with pytest.raises(ValueError, match="register_custom_backend"):
            graph.register_custom_backend(*arguments)
