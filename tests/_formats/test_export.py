"""`mindspore.export` with the format ONNX; `mindir/test_export.py` has the format MINDIR."""

import os
import stat

import pytest

import ms_compat as ms
from ms_compat import nn
from tests._formats.mindir.nets import floats
from tests._formats.onnx_files import check

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
ort = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


def test_the_module_of_train_writes_it_too(tmp_path):
    net = nn.Dense(3, 2)
    ms.export(net, floats(4, 3), file_name=str(tmp_path / "a"), file_format="ONNX")
    assert stat.S_IMODE((tmp_path / "a.onnx").stat().st_mode) == 0o400 or os.name == "nt"
    check(ort.InferenceSession(str(tmp_path / "a.onnx")), net, floats(4, 3))
    ms.export(net, floats(4, 3), file_name=str(tmp_path / "b"), file_format="ONNX", enc_key=b"k" * 16,
              enc_mode=lambda data, key: key + data)  # fmt: skip
    content = (tmp_path / "b.onnx").read_bytes()
    assert content[:16] == b"k" * 16 and onnx.load_from_string(content[16:]).graph.name
