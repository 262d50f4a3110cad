"""ONNX files in ONNX Runtime."""

import pytest

import ms_compat as ms


@pytest.fixture
def session(tmp_path):
    """Export, check the file, and open it in ONNX Runtime."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    ort = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

    def opened(net, *inputs, name="net", **options):
        ms.onnx.export(net, *inputs, file_name=str(tmp_path / name), **options)
        onnx.checker.check_model(str(tmp_path / f"{name}.onnx"), full_check=True)
        return ort.InferenceSession(str(tmp_path / f"{name}.onnx"), providers=["CPUExecutionProvider"])

    opened.read = lambda name="net": onnx.load(str(tmp_path / f"{name}.onnx"))
    return opened
