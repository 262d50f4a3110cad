"""Operators of `ops.CustomOpBuilder` answer as MindSpore 2.10 does (`recorded.json`), and are compiled as asked for."""

import json
import logging
import pathlib
import shutil
import sys
import threading

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat._core.errors import UnsupportedError
from ms_compat.ops._extension import builder as building
from tests.ops.custom_cpp import cases

RECORDED = json.loads((cases.HERE / "recorded.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    """The module of `operators.cpp`; one process compiles it for all of them."""
    pytest.importorskip("pybind11")
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    folder = tmp_path_factory.mktemp("operators")
    made = ops.CustomOpBuilder("operators", str(cases.SOURCE), "CPU", cflags="-O0", build_dir=str(folder))
    yield made.load()
    building._loaded.pop("operators")


@pytest.fixture
def compiler(monkeypatch, tmp_path):
    """The commands that a builder runs, which write empty files in place of the compiler's."""
    commands = []

    def run(name, command):
        commands.append(command)
        pathlib.Path(command[command.index("-o") + 1]).write_text("")
        if "-MF" in command:
            rule = f"x.o: {command[command.index('-c') + 1]} \\\n {tmp_path / 'own.h'}\n"
            pathlib.Path(command[command.index("-MF") + 1]).write_text(rule)

    monkeypatch.setattr(building, "_run", run)
    monkeypatch.setattr(building, "_pybind11", lambda: "/pybind11")
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    return commands


def test_operators_answer_as_recorded(module):
    calls = cases.cases(ms, module)
    assert set(calls) == set(RECORDED)
    found = {name: cases.answer(ms, call) for name, call in calls.items()}
    different = {name: (found[name], RECORDED[name]) for name in calls if found[name] != RECORDED[name]}
    assert different.pop("sum_doc", None) is None or found["sum_doc"].endswith("\n\nx + y + z\n")
    assert not different


def test_methods_without_a_kernel_in_mindspore_are_those_of_python(module):
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    for found, expected in (
        (module.repeat(x, [2, 1, 2]), x.tile((2, 1, 2))),
        (module.index_select(x, -1, Tensor([2, 0])), x.index_select(-1, Tensor([2, 0]))),
        (module.repeat_interleave(x, 2, None), x.repeat_interleave(2)),
        (module.repeat_interleave(x, 2, 1), x.repeat_interleave(2, 1)),
        (module.repeat_each(x, Tensor([1, 3]), 0), x.repeat_interleave(Tensor([1, 3]), 0)),
    ):
        assert found.dtype is expected.dtype and found.asnumpy().tolist() == expected.asnumpy().tolist()
    with pytest.raises(IndexError, match="each index must be in"):
        module.index_select(x, 1, Tensor([3]))


def test_an_argument_that_is_not_written_keeps_its_array(module):
    x = Tensor([1.0, 2.0])
    before = x._v
    module.sum(x, x, x)
    assert x._v is before
    module.increase(x)
    assert x._v is not before and before.tolist() == [1.0, 2.0]


def test_messages_of_operators(module, caplog):
    with pytest.raises(RuntimeError, match="^a reason, and 2$"):
        module.fail_by_log(Tensor([1.0, 2.0]))
    with pytest.raises(TypeError, match="^a wrong type$"):
        module.fail_by_type(Tensor([1.0]))
    with pytest.raises(RuntimeError, match="must return 3 tensors, as its 'Call' says, but it returned 2"):
        module.three(Tensor([1.0]))
    with pytest.raises(AttributeError, match="has no function 'nothing'"):
        module.nothing  # noqa: B018
    monkey = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(AttributeError, match="works in PYNATIVE_MODE.*aot"):
            module.unused  # noqa: B018
    finally:
        ms.set_context(mode=monkey)


def test_operators_in_threads(module):
    found = {}

    def work(i):
        x = Tensor([float(i), 0.0])
        for _ in range(10):
            module.increase(x)
        found[i] = x.asnumpy().tolist()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: [i + 10.0, 10.0] for i in range(4)}


def test_what_is_compiled(compiler, tmp_path):
    (tmp_path / "own.h").write_text("")
    for name in ("a.cpp", "b.cpp"):
        (tmp_path / name).write_text("")
    made = ops.CustomOpBuilder(
        "two", [str(tmp_path / "a.cpp"), str(tmp_path / "b.cpp")], include_paths=["/more"], cflags="-O3 -DX='a b'",
        ldflags="-lm -lz", build_dir=str(tmp_path / "built"),
    )  # fmt: skip
    path = made.build()
    assert path == str(tmp_path / "built/two.so") and len(compiler) == 3
    first, last = sorted(compiler[:2])[0], compiler[2]
    assert first[:2] == ["/bin/g++", "-DMS_EXTENSION_NAME=two"] and first.index("-O3") > first.index("-O2")
    assert "-DX=a b" in first and [f for f in first if f.startswith("-I")][:2] == ["-I/more", f"-I{building._INCLUDE}"]
    assert last[-4:-2] == ["-lm", "-lz"] and "-shared" in last
    made.build()
    assert len(compiler) == 3  # nothing has changed
    (tmp_path / "own.h").write_text("changed")
    made.build()
    assert len(compiler) == 6
    made.cflags = "-O1"
    made.build()
    assert len(compiler) == 9


def test_where_it_is_compiled(compiler, tmp_path, monkeypatch):
    (tmp_path / "own.h").write_text("")
    (tmp_path / "a.cpp").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MS_COMPILER_CACHE_PATH", raising=False)
    made = ops.CustomOpBuilder("one", "a.cpp", debug_mode=True)
    assert made.build() == str(tmp_path / "kernel_meta/one/one.so")
    assert "-g" in compiler[0] and "-O2" not in compiler[0] and "-s" not in compiler[1]
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path / "cache"))
    monkeypatch.setenv("CXX", "clang++")
    assert made.build() == str(tmp_path / "cache/one/one.so") and compiler[-1][0] == "/bin/clang++"


def test_a_subclass_says_sources_headers_and_flags(compiler, tmp_path):
    (tmp_path / "own.h").write_text("")
    (tmp_path / "a.cpp").write_text("")

    class Own(ops.CustomOpBuilder):
        def get_sources(self):
            return str(tmp_path / "a.cpp")

        def get_include_paths(self):
            return [" /only "]

        def get_cflags(self):
            return ["-one"]

        def get_ldflags(self):
            return ["-two -three"]

    Own("own", "ignored.cpp", build_dir=str(tmp_path / "b")).build()
    assert compiler[0][1:3] == ["-one", "-I/only"] and compiler[0][-3] == str(tmp_path / "a.cpp")
    assert compiler[1][2:4] == ["-two", "-three"]


def test_a_module_is_loaded_once(module, tmp_path):
    assert ops.CustomOpBuilder("operators", str(tmp_path / "absent.cpp")).load() is module


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        (dict(name=3), TypeError, "'name' must be"),
        (dict(sources=3), TypeError, "'sources' must be"),
        (dict(sources=["a", 3]), TypeError, "'sources' must be a str or a list of str"),
        (dict(backend=3), TypeError, "'backend' must be"),
        (dict(backend="GPU"), ValueError, "'backend' must be one of"),
        (dict(include_paths=3), TypeError, "'include_paths' must be"),
        (dict(cflags=["-O2"]), TypeError, "'cflags' must be"),
        (dict(ldflags=1), TypeError, "'ldflags' must be"),
        (dict(build_dir=1), TypeError, "'build_dir' must be"),
        (dict(debug_mode=1), TypeError, "'debug_mode' must be bool"),
        (dict(enable_atb=1), TypeError, "'enable_atb' must be bool"),
        (dict(enable_asdsip="yes"), TypeError, "'enable_asdsip' must be bool"),
        (dict(op_def=1), TypeError, "'op_def' must be"),
        (dict(op_doc=1), TypeError, "'op_doc' must be"),
        (dict(enable_atb=True, backend="CPU"), ValueError, "'enable_atb' is for the backend 'Ascend'"),
        (dict(enable_asdsip=True, backend="CPU"), ValueError, "'enable_asdsip' is for the backend 'Ascend'"),
        (dict(enable_atb=True), UnsupportedError, "the backend 'Ascend'.*aot"),
        (dict(backend="Ascend"), UnsupportedError, "the backend 'Ascend'.*aot"),
        (dict(op_def="x.yaml"), UnsupportedError, "'op_def'.*aot"),
    ],
)
def test_arguments_are_checked(arguments, error, text):
    with pytest.raises(error, match=text):
        ops.CustomOpBuilder(**{"name": "x", "sources": "a.cpp", **arguments})


def test_an_unknown_option_is_logged(caplog):
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        ops.CustomOpBuilder("x", "a.cpp", future=1)
    assert "CustomOpBuilder: ['future'] have no effect" in caplog.text


def test_what_is_missing_is_said(tmp_path, monkeypatch):
    made = ops.CustomOpBuilder("x", str(tmp_path / "absent.cpp"), build_dir=str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pybind11", None)
        with pytest.raises(UnsupportedError, match="or pip install pybind11"):
            made.build()
    monkeypatch.setattr(building, "_pybind11", lambda: "/pybind11")
    with monkeypatch.context() as patch:
        patch.setenv("CXX", "no-such-compiler")
        with pytest.raises(UnsupportedError, match="Install g\\+\\+"):
            made.build()
    if shutil.which("g++"):
        with pytest.raises(RuntimeError, match="(?s)Error building extension 'x'.*absent.cpp.*inner functions"):
            made.build()
