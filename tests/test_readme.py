"""The README's program, executed piece by piece as somebody would type it."""

import pathlib
import re

import ms_compat

README = pathlib.Path(__file__).parents[1] / "README.md"


def test_the_tour_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pieces = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    assert len(pieces) == 4
    names: dict[str, object] = {}
    try:
        for piece in pieces:
            exec(compile(piece, "README.md", "exec"), names)
    finally:
        ms_compat.uninstall()
    shape, sine, leaf = capsys.readouterr().out.strip().split("\n")
    assert shape == "(1, 2)"
    assert sine.startswith("[0.84")
    assert leaf.startswith("(")
    assert (tmp_path / "run" / "net-3_8.ckpt").exists()
