"""The context keeps, returns and refuses what MindSpore's does (recorded), and does not wake JAX up too early."""

import json
import logging
import os
import pathlib
import subprocess
import sys
import threading
import warnings

import jax
import pytest

from ms_compat import context as public
from ms_compat._core.settings import context, context_keys, device, parallel_context, program_cache

DATA = pathlib.Path(__file__).parents[2] / "conformance" / "data" / "context.json"
RECORD = json.loads(DATA.read_text())

# Where ms_compat differs on purpose, and why.
DIFFERENT = {
    "device_target": "MindSpore's CPU package has no other target; here the default accelerator or the CPU serves them",
    "device_id": "MindSpore fixes the device at its first use; here it may change",
    "enable_compile_cache": "MindSpore reads None through int(), here it is a TypeError too, but the value stays",
    "comm_fusion": "MindSpore drops the changes after all_reduce_fusion_config was set, which the recording had done",
}


@pytest.fixture(autouse=True)
def _restored(tmp_path, monkeypatch):
    """Each test starts in a folder of its own and leaves the context as it found it."""
    monkeypatch.chdir(tmp_path)
    before = dict(vars(context.state))
    cache = jax.config.jax_compilation_cache_dir
    yield
    vars(context.state).update(before)
    jax.config.update("jax_compilation_cache_dir", cache)
    parallel_context.reset_auto_parallel_context()
    parallel_context.reset_ps_context()


def python_value(recorded):
    """Undoes the recorder's form: JSON has no tuples and no float of integral value."""
    kind, value = recorded
    if kind == "tuple":
        import ast

        return ast.literal_eval(value)
    if isinstance(value, str):
        value = value.replace("<cwd>", os.getcwd())
    return float(value) if kind == "float" else value


def outcome(call, *args, **kwargs):
    """The value, or the name of the exception's class."""
    try:
        return {"value": call(*args, **kwargs)}
    except Exception as error:
        return {"error": type(error).__name__}


def expected(recorded):
    return {"value": python_value(recorded["value"])} if "value" in recorded else recorded


def replay(getter, setter, key, part):
    assert outcome(getter, key) == expected(part["default"])
    for case in part["cases"]:
        got = outcome(setter, **{key: python_value(case["set"])})
        assert got.get("error") == case["error"], case
        if key not in DIFFERENT:
            after = outcome(getter, key)
            assert after == expected(case["after"]), case
            if "value" in after:
                assert type(after["value"]) is type(expected(case["after"])["value"]), case


@pytest.mark.parametrize("key", [key for key in RECORD["context"] if key not in ("device_target", "device_id", "mode")])
def test_key_as_recorded(key):
    part = RECORD["context"][key]
    if key in ("jit_level", "infer_boost", "runtime_num_threads"):
        part = {**part, "default": {"value": ["any", context.get_context(key)]}}  # other keys or the machine decide
    replay(context.get_context, context.set_context, key, part)


@pytest.mark.parametrize("key", RECORD["defaults"])
def test_default_as_recorded(key):
    kind, value = RECORD["defaults"][key]
    default = context_keys.KEYS[key].default
    if key in ("runtime_num_threads", "device_target"):
        assert type(context.get_context(key)).__name__ == kind
    else:
        assert (type(default).__name__, default) == (kind, value)


@pytest.mark.parametrize("key", RECORD["core"])
def test_core_key_as_recorded(key):
    got = outcome(lambda: context.set_context(**{key: context.get_context(key)}))
    assert got.get("error") == RECORD["core"][key]


@pytest.mark.parametrize("key", RECORD["auto_parallel"])
def test_auto_parallel_key_as_recorded(key):
    part = RECORD["auto_parallel"][key]
    if key in DIFFERENT:
        part = {**part, "default": {"value": ["dict", parallel_context.get_auto_parallel_context(key)]}}
    replay(public.get_auto_parallel_context, public.set_auto_parallel_context, key, part)


@pytest.mark.parametrize("key", RECORD["ps"])
def test_ps_key_as_recorded(key):
    replay(public.get_ps_context, public.set_ps_context, key, RECORD["ps"][key])


@pytest.fixture
def _no_server():
    yield
    public.reset_ps_context()


@pytest.mark.usefixtures("_no_server")
def test_parameter_server_is_turned_on_and_off():
    public.set_ps_context(enable_ps=True, server_mode="PARAMETER_SERVER", ms_role="MS_WORKER", scheduler_port=8000)
    assert public.get_ps_context("enable_ps") is True
    assert public.get_ps_context("ms_role") == "MS_NOT_PS"  # the environment says it, as in MindSpore
    assert public.get_ps_context("scheduler_port") == 8000
    public.reset_ps_context()
    assert public.get_ps_context("enable_ps") is False
    with pytest.raises(RuntimeError, match="PARAMETER_SERVER"):
        public.set_ps_context(server_mode="PS", enable_ps=True)
    assert public.get_ps_context("enable_ps") is False


@pytest.mark.usefixtures("_no_server")
@pytest.mark.parametrize("role", ["MS_SCHED", "MS_SERVER", "MS_PSERVER"])
def test_servers_end_where_the_mode_is_turned_on(role, monkeypatch):
    monkeypatch.setenv("MS_ROLE", role)
    public.set_ps_context(enable_ps=False)
    with pytest.raises(SystemExit) as ended:
        public.set_ps_context(enable_ps=True)
    assert ended.value.code == 0


@pytest.mark.parametrize("value", [2, -1, None, "GRAPH_MODE", 1.0])
def test_mode_is_refused(value):
    with pytest.raises(TypeError if isinstance(value, (str, float)) else ValueError, match="'mode'"):
        context.set_context(mode=value)


def test_mode_is_a_plain_attribute_and_one_for_all_threads():
    assert context.state.mode == context.PYNATIVE_MODE == 1
    context.set_context(mode=context.GRAPH_MODE)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(context.state.mode))
    thread.start()
    thread.join()
    assert (seen, context.get_context("mode")) == ([0], 0)
    assert type(context.state.__dict__["mode"]) is int


def test_unknown_key_suggests_the_nearest():
    with pytest.raises(ValueError, match="'device_traget' is not recognized. Did you mean 'device_target'"):
        context.set_context(device_traget="CPU")
    with pytest.raises(ValueError, match="'Mode' is not recognized. Did you mean 'mode'"):
        context.get_context("Mode")


def test_get_context_wants_a_str():
    with pytest.raises(TypeError, match="attr_key"):
        context.get_context(1)


@pytest.mark.parametrize("bad", [{"nope": 1}, {"op_timeout": -1}, {"mode": "x"}])
def test_a_refused_call_changes_nothing(bad):
    before = dict(vars(context.state))
    with pytest.raises((ValueError, TypeError)):
        context.set_context(max_call_depth=77, save_graphs=3, **bad)
    assert vars(context.state) == before


def test_a_refused_parallel_call_changes_nothing():
    with pytest.raises(ValueError, match="nope"):
        public.set_auto_parallel_context(gradients_mean=True, nope=1)
    assert public.get_auto_parallel_context("gradients_mean") is False


# recorded: what each of these keys gives at first, and after it was set alone or with the key that contains it
PARTS = [
    ({}, {"pipeline_interleave": False, "pipeline_scheduler": "1f1b", "full_batch_is_set": False}),
    ({}, {"dump_local_norm": False, "dump_local_norm_path": "", "dump_device_local_norm": False}),
    ({}, {"auto_parallel_new_interface": False, "init_param_in_compile": True, "optimizer_weight_shard_size": -1}),
    ({"full_batch": True}, {"full_batch_is_set": True}),
    ({"dump_local_norm": 1}, {"dump_local_norm": True}),
    ({"dump_local_norm_path": "/x"}, {"dump_local_norm_path": "/x"}),
    ({"optimizer_weight_shard_size": 2}, {"optimizer_weight_shard_size": 2}),
    ({"optimizer_weight_shard_size": 1}, {"optimizer_weight_shard_size": -1}),
    ({"parallel_optimizer_config": {"optimizer_weight_shard_size": 2}}, {"optimizer_weight_shard_size": 2}),
    (
        {"pipeline_config": {"pipeline_interleave": True, "pipeline_scheduler": "gpipe"}},
        {"pipeline_interleave": True, "pipeline_scheduler": "gpipe"},
    ),
]


@pytest.mark.parametrize(("given", "kept"), PARTS)
def test_parts_of_settings_are_read_as_recorded(given, kept):
    public.set_auto_parallel_context(**given)
    assert {key: public.get_auto_parallel_context(key) for key in kept} == kept
    public.reset_auto_parallel_context()


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"pipeline_interleave": True}, ValueError),
        ({"full_batch_is_set": True}, ValueError),
        ({"pipeline_config": {"pipeline_interleave": True, "pipeline_scheduler": "x"}}, ValueError),
        ({"pipeline_config": {"pipeline_interleave": False, "pipeline_scheduler": "gpipe"}}, TypeError),
        ({"pipeline_config": {"pipeline_interleave": True}}, KeyError),
        ({"parallel_optimizer_config": {"optimizer_weight_shard_size": 0}}, ValueError),
        ({"parallel_optimizer_config": {"optimizer_weight_shard_size": True}}, TypeError),
        ({"optimizer_weight_shard_size": True}, TypeError),
        ({"optimizer_weight_shard_aggregated_save": 1}, TypeError),
        ({"sharding_propagation": 1}, TypeError),
        ({"dump_local_norm": "x"}, TypeError),
        ({"dump_local_norm_path": 1}, TypeError),
    ],
)
def test_parts_of_settings_are_refused_as_recorded(given, error):
    with pytest.raises(error):
        public.set_auto_parallel_context(**given)


def test_both_names_of_the_search_mode():
    public.set_auto_parallel_context(search_mode="dynamic_programming")
    assert public.get_auto_parallel_context("auto_parallel_search_mode") == "dynamic_programming"


def test_defaults_cannot_be_changed_through_what_is_returned():
    public.get_auto_parallel_context("comm_fusion")["openstate"] = False
    context.get_context("jit_config")["jit_level"] = "O2"
    assert public.get_auto_parallel_context("comm_fusion")["openstate"] is True
    assert context.get_context("jit_config") == {}


def test_tuning_settings_say_that_they_change_nothing(caplog):
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        context.set_context(enable_graph_kernel=True, ascend_config={"jit_compile": True}, enable_sparse=True)
    assert [record.levelname for record in caplog.records] == ["DEBUG"] * 3
    assert "enable_graph_kernel=True" in caplog.text
    assert "is for Ascend" in caplog.text


def test_save_graphs_gives_the_folder_to_the_compiler(tmp_path):
    assert context.graph_dump_folder() is None
    context.set_context(save_graphs=True, save_graphs_path="ir")
    assert context.graph_dump_folder() == str(tmp_path / "ir")
    assert (tmp_path / "ir").is_dir()
    context.set_context(save_graphs=False)
    assert context.graph_dump_folder() is None


def test_compile_cache_has_the_folder_that_was_named(tmp_path, monkeypatch):
    monkeypatch.delenv(program_cache.SWITCH, raising=False)
    try:
        context.set_context(enable_compile_cache=True, compile_cache_path="kept")
        assert program_cache.current().base == str(tmp_path / "kept")
        context.set_context(compile_cache_path="elsewhere")
        assert program_cache.current().base == str(tmp_path / "elsewhere")
        context.set_context(enable_compile_cache=False)
        assert program_cache.current() is None
    finally:
        program_cache.switch_off()


# -- devices


@pytest.fixture
def only_cpu(monkeypatch):
    """A machine where JAX has nothing but the CPU, and nothing was said about that yet."""
    monkeypatch.setattr(device, "accelerator_possible", lambda: False)
    monkeypatch.setattr(device, "_warned", set())


@pytest.mark.usefixtures("only_cpu")
@pytest.mark.parametrize("target", ["Ascend", "GPU"])
def test_an_absent_accelerator_is_said_once(target):
    with pytest.warns(UserWarning, match=f"device_target='{target}': JAX finds no accelerator") as caught:
        context.set_context(device_target=target)
        context.set_context(device_target=target, mode=0)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert context.get_context("device_target") == target
    assert jax.config.jax_default_device is None


@pytest.mark.usefixtures("only_cpu")
def test_cpu_and_the_default_warn_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert context.get_context("device_target") == "CPU"
        context.set_context(device_target="CPU", device_id=0)
        context.set_context(device_id=3)  # MindSpore ignores it on CPU
    assert context.get_current_device() == ("CPU", 3)
    assert context.get_current_device().device_target == "CPU"


class FakeGpu:
    """A device that is no CPU, for the code that only looks at the platform."""

    platform = "gpu"


@pytest.fixture
def with_accelerator(monkeypatch):
    """A machine where JAX may prefer an accelerator."""
    monkeypatch.setattr(device, "accelerator_possible", lambda: True)
    yield
    jax.config.update("jax_default_device", None)


@pytest.mark.usefixtures("with_accelerator")
def test_cpu_beside_an_accelerator_is_a_platform_name(monkeypatch):
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    assert device.platform() == "gpu"
    context.set_context(device_target="CPU")
    assert jax.config.jax_default_device == "cpu"
    assert device.current().platform == device.platform() == "cpu"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        context.set_context(device_target="Ascend")
    assert jax.config.jax_default_device is None


@pytest.mark.usefixtures("with_accelerator")
def test_an_accelerator_that_is_not_there_changes_nothing(monkeypatch):
    monkeypatch.setattr(jax, "local_devices", lambda backend=None: [FakeGpu(), FakeGpu()])
    before = dict(vars(context.state))
    with pytest.raises(ValueError, match="'device_id' must be less than 2, the number of gpu devices .* got 5"):
        context.set_context(mode=1 - before["mode"], device_target="GPU", device_id=5)
    assert vars(context.state) == before


def test_davinci_is_ascend(only_cpu):
    device._warned.add("Ascend")
    context.set_context(device_target="Davinci")
    assert context.get_context("device_target") == "Ascend"


@pytest.mark.parametrize("case", RECORD["set_device"], ids=lambda case: str(case["args"]))
def test_set_device_as_recorded(case, only_cpu):
    device._warned.update(("GPU", "Ascend"))
    served = case["args"] in (["GPU"], ["Ascend"], ["CPU", 1])  # served here; the recording machine has one CPU device
    got = outcome(context.set_device, *case["args"])
    assert got.get("error") == (None if served else case["got"].get("error"))


@pytest.mark.parametrize("value", ["cpu", "TPU", "", None])
def test_an_unknown_target_is_refused(value):
    with pytest.raises(ValueError, match="'device_target'"):
        context.set_context(device_target=value)


@pytest.mark.parametrize("value", [-1, 4096])
def test_a_device_id_out_of_range_is_refused(value):
    with pytest.raises(ValueError, match="'device_id'"):
        context.set_context(device_id=value)


def test_set_deterministic():
    context.set_deterministic(True)
    assert context.get_context("deterministic") == "ON"
    context.set_deterministic(False)
    assert context.get_context("deterministic") == "OFF"
    with pytest.raises(TypeError, match="'deterministic'"):
        context.set_deterministic(1)


def test_determinism_is_told_in_the_environment(monkeypatch):
    for name in context._OF_DETERMINISM:
        monkeypatch.delenv(name, raising=False)
    public.set_context(deterministic="ON")
    assert (os.environ["HCCL_DETERMINISTIC"], os.environ["TE_PARALLEL_COMPILER"]) == ("true", "1")
    public.set_context(deterministic="OFF")
    assert not {"HCCL_DETERMINISTIC", "TE_PARALLEL_COMPILER"} & set(os.environ)


def test_the_config_of_jit_is_told():
    public.set_context(jit_config={"jit_level": "O1"})
    assert public.get_jit_config() == {"jit_level": "O1"}


def test_set_recursion_limit():
    context.set_recursion_limit(2000)
    assert context.get_context("max_call_depth") == 2000
    with pytest.raises(ValueError, match="recursion_limit"):
        context.set_recursion_limit(-1)
    with pytest.raises(TypeError, match="recursion_limit"):
        context.set_recursion_limit("a")


def run_python(code, **environment):
    """Runs a program in a fresh interpreter that sees the package under test."""
    root = pathlib.Path(context.__file__).parents[3]
    variables = {**os.environ, "PYTHONPATH": str(root), "JAX_PLATFORMS": "cpu", **environment}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_naming_a_device_does_not_wake_jax_up():
    code = """
from ms_compat._core import jax_compat
from ms_compat._core.settings import context
context.set_context(mode=0, device_target="CPU", device_id=0)
context.get_context("device_target")
print(jax_compat.backends_are_initialized())
"""
    assert run_python(code) == ["False"]


def test_a_launched_process_leaves_its_device_id_to_communication_init():
    code = """
from ms_compat._core import jax_compat
from ms_compat._core.settings import context
context.set_context(device_target="CPU", device_id=2)
print(jax_compat.backends_are_initialized(), context.get_context("device_id"))
"""
    assert run_python(code, RANK_SIZE="8") == ["False", "2"]


def test_device_id_picks_the_device():
    code = """
from ms_compat._core.settings import context, device
import jax, jax.numpy as jnp
context.set_context(device_target="CPU", device_id=2)
print(jnp.ones(2).device.id, device.current().id)
context.set_context(device_id=0)
print(jnp.ones(2).device.id)
"""
    flags = "--xla_force_host_platform_device_count=4"
    assert run_python(code, XLA_FLAGS=flags) == ["2", "2", "0"]
