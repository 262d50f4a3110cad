"""`ops.Custom` with func_type "aot" answers as MindSpore 2.10 does (`recorded.json`), and holds what XLA asks for."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat._core.errors import UnsupportedError
from ms_compat.ops._aot import kernels, sources
from tests.ops.custom_aot import cases

RECORDED = json.loads((cases.HERE / "recorded.json").read_text("utf-8"))
X = np.arange(6, dtype=np.float32).reshape(2, 3)
# Departures: what MindSpore does, and what is done here.
DEPARTURES = {
    "no_dimension": "In GRAPH_MODE MindSpore gives a number.",
}

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """The library of `kernels.cc` with the old strings of the C++ library, and with the new ones."""
    place = tmp_path_factory.mktemp("libraries")
    made = {}
    for name, flags in (("old", ["-D_GLIBCXX_USE_CXX11_ABI=0"]), ("new", [])):
        target = place / f"{name}.so"
        sources.build([str(cases.SOURCE)], target, [f"-I{sources._INCLUDE}", *flags])
        made[name] = str(target)
    return made


@pytest.fixture(autouse=True)
def place(tmp_path_factory, monkeypatch):
    """One folder for what all tests compile."""
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path_factory.getbasetemp() / "custom_kernel_meta"))


def recorded_answer(name, mode):
    found = RECORDED[name]
    if isinstance(found, dict) and set(found) == {"pynative", "graph"}:
        return found["pynative" if mode == ms.PYNATIVE_MODE else "graph"]
    return found


def matches(ours, theirs):
    if isinstance(theirs, dict) and "values" in theirs:
        assert ours.get("dtype") == theirs["dtype"]
        np.testing.assert_allclose(ours["values"], theirs["values"], rtol=1e-5, atol=1e-7)
    elif isinstance(theirs, list):
        assert isinstance(ours, list) and len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            matches(one, other)
    else:
        assert ours == theirs


def plain_class(answer):
    """JAX's class for failures in compiled programs is a RuntimeError."""
    return json.loads(json.dumps(answer).replace("JaxRuntimeError", "RuntimeError"))


@pytest.mark.parametrize("kind", ["old", "new", "source"])
def test_answers_are_mindspores(kind, mode, libraries):
    found = cases.cases(ms, libraries.get(kind, str(cases.SOURCE)))
    assert set(found) == set(RECORDED) and len(found) > 100
    for name, function in found.items():
        ours, theirs = plain_class(cases.answer(ms, function)), recorded_answer(name, mode)
        if name in DEPARTURES and mode == ms.GRAPH_MODE:
            assert ours != theirs
            continue
        try:
            matches(ours, theirs)
        except AssertionError as error:
            raise AssertionError(f"{name}: MindSpore answers {theirs}, but got {ours}") from error


def same(*given):
    return given[0]


def square(libraries, **named):
    return ops.Custom(f"{libraries['new']}:Square", same, same, "aot", **named)


def test_compiled_programs_call_the_library_without_python(libraries):
    op = square(libraries)
    text = str(jax.make_jaxpr(lambda a: op(Tensor(a))._v)(X))
    assert "ffi_call" in text and "callback" not in text


def test_no_array_is_copied(libraries):
    """The function sees the addresses of JAX's own buffers."""
    op = ops.Custom(f"{libraries['new']}:Address", (2,), ms.int64, "aot")
    x = Tensor(X)
    given, written = op(x).asnumpy()
    out = op(x)
    assert given == x._v.unsafe_buffer_pointer()
    assert out.asnumpy()[1] == out._v.unsafe_buffer_pointer() and written


def test_on_other_platforms_the_host_runs_the_function(libraries, monkeypatch):
    monkeypatch.setattr(kernels.device, "platform", lambda: "gpu")
    shape = (2, 3, 1)  # no other test's
    op = square(libraries, bprop=lambda x, out, dout: (2 * x * dout,))
    x = Tensor(X.reshape(shape))
    assert "callback" in str(jax.make_jaxpr(lambda a: op(Tensor(a))._v)(x._v))
    np.testing.assert_array_equal(op(x).asnumpy(), x.asnumpy() ** 2)
    np.testing.assert_array_equal(ms.grad(lambda t: op(t))(x).asnumpy(), 2 * x.asnumpy())
    np.testing.assert_array_equal(ms.jit(lambda t: op(t) + 1)(x).asnumpy(), x.asnumpy() ** 2 + 1)
    for name, words in (("Fails", "returned 3"), ("Throws", "the kernel's own words")):
        failing = ops.Custom(f"{libraries['new']}:{name}", (2, 3, 1), ms.float32, "aot")
        with pytest.raises(RuntimeError, match=words):
            failing(x).asnumpy()


@pytest.mark.parametrize(
    "name, words",
    [
        ("Fails", "'Fails' returned 3, and only 0"),
        ("Throws", "'Throws' failed: the kernel's own words"),
        ("ThrowsNumber", "an exception that is not a std::exception"),
        ("MissingLate", "there is no attribute called nothing"),
        ("BadInit", "'BadInitInit' returned 4"),
        ("ThrowInit", "'ThrowInitInit' failed: init's words"),
        ("Nope", "has no function 'Nope'"),
    ],
)
def test_failures_say_what_has_failed(name, words, mode, libraries):
    op = ops.Custom(f"{libraries['new']}:{name}", (2, 3), ms.float32, "aot")

    class Net(nn.Cell):
        def construct(self, x):
            return op(x)

    with pytest.raises(RuntimeError, match=words):
        Net()(Tensor(X)).asnumpy()


@pytest.mark.parametrize("name", ["BadInit", "ThrowInit"])
def test_a_kernel_whose_init_fails_is_dropped(name, libraries, monkeypatch):
    calls = []
    call = kernels._Bridge.call
    monkeypatch.setattr(kernels._Bridge, "call", lambda *given: [calls.append(given[1]), call(*given)][1])
    with pytest.raises(RuntimeError, match=f"{name}Init"):
        ops.Custom(f"{libraries['new']}:{name}", (2, 3), ms.float32, "aot")(Tensor(X))
    assert calls.count("aot_kernel") == calls.count("aot_drop") == 1


def test_what_a_function_keeps_is_kept_for_equal_calls(libraries):
    """As in MindSpore's PYNATIVE_MODE."""
    path = f"{libraries['old']}:Counting"
    ops_ = [ops.Custom(path, (2,), ms.float32, "aot") for _ in range(2)]
    counts = [op(Tensor(X)).asnumpy()[0] for op in (*ops_, *ops_)]
    assert counts == [1, 2, 3, 4]
    assert ops_[0](Tensor(X[0])).asnumpy()[0] == 1


def test_two_threads_do_not_run_a_function_at_once(libraries):
    op = ops.Custom(f"{libraries['new']}:Alone", (1,), ms.float32, "aot")
    seen = []

    def run():
        seen.extend(float(op(Tensor(X)).asnumpy()[0]) for _ in range(3))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 9


@pytest.mark.parametrize("kind, platform", [("new", "cpu"), ("old", "gpu")])
def test_a_function_without_results_runs_for_its_effects(kind, platform, libraries, monkeypatch):
    """Compiled programs keep such calls, also where the host runs the function."""
    monkeypatch.setattr(kernels.device, "platform", lambda: platform)
    count = ops.Custom(f"{libraries[kind]}:Notes", (), (), "aot")
    read = ops.Custom(f"{libraries[kind]}:Noted", (1,), ms.float32, "aot")
    assert count(Tensor(X)) == ()

    @ms.jit
    def run(x):
        count(x)
        return x + 1

    run(Tensor(X)).asnumpy()
    run(Tensor(X)).asnumpy()
    assert read(Tensor(X)).asnumpy()[0] == 3


def test_a_source_is_compiled_again_when_it_has_changed(tmp_path):
    source = tmp_path / "changing.cc"
    text = (
        'extern "C" int F(int, void **params, int *, long **, const char **, void *, void *) '
        "{ *(float *)params[1] = %d; return 0; }"
    )
    for number in (1, 22):
        source.write_text(text % number)
        op = ops.Custom(f"{source}:F", (1,), ms.float32, "aot")
        assert op(Tensor(X)).asnumpy()[0] == number
    before = os.stat(op.func.rpartition(":")[0]).st_mtime_ns
    assert os.stat(ops.Custom(f"{source}:F", (1,), ms.float32, "aot").func.rpartition(":")[0]).st_mtime_ns == before


def test_sources_of_one_name_in_two_folders_are_two_libraries(tmp_path):
    paths = []
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        source = tmp_path / str(number) / "one.cc"
        source.write_text(f'extern "C" int F() {{ return {number}; }}')
        paths.append(ops.Custom(f"{source}:F", (1,), ms.float32, "aot").func)
    assert paths[0] != paths[1]


def test_strings_of_a_library_are_recognized(libraries):
    assert sources.has_old_strings(libraries["old"])
    assert not sources.has_old_strings(libraries["new"])


def test_what_is_not_served_says_the_way_out(libraries, monkeypatch, tmp_path):
    with pytest.raises(UnsupportedError, match="pallas"):
        ops.Custom("/nowhere/x.cu:F", (1,), ms.float32, "aot")
    for func_type in ("akg", "tbe"):
        with pytest.raises(UnsupportedError, match="'aot'"):
            ops.Custom(same, (1,), ms.float32, func_type)
    monkeypatch.setattr(sources.shutil, "which", lambda name: None)
    with pytest.raises(UnsupportedError, match=re.escape("Install g++")):
        sources.build([str(cases.SOURCE)], tmp_path / "x.so", [])


def test_a_number_that_is_not_a_dtypes_is_a_type_error(libraries):
    """MindSpore makes a Tensor without a dtype of it."""
    registered = ops.CustomRegOp().input(0, "x").output(0, "y").target("CPU").get_op_info()
    op = ops.Custom(f"{libraries['new']}:BadType", (2, 3), None, "aot", reg_info=registered)
    with pytest.raises(TypeError, match="'BadTypeInferType' returned"):
        op(Tensor(X))


def test_inputs_of_other_types_are_refused(libraries):
    op = square(libraries)
    for given in ("text", None, X, (Tensor(X), "text")):
        with pytest.raises(TypeError, match="must be a Tensor"):
            op(given)


_AT_THE_END = """
import sys
import numpy as np
import ms_compat as ms
from ms_compat import Tensor, ops
op = ops.Custom(sys.argv[1] + ":Square", lambda a: a, lambda a: a, "aot")
run = ms.jit(lambda t: op(op(t)))
x = Tensor(np.full(4, 2, np.float32))
for _ in range(100):
    out = run(x)
assert out.asnumpy().tolist() == [16] * 4
run(x)  # still running, maybe, when the process ends
"""


def test_a_process_ends_while_a_function_runs(libraries):
    subprocess.run([sys.executable, "-c", _AT_THE_END, libraries["new"]], check=True, timeout=600)
