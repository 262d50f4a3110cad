"""`AutoBoost`: which ways of a faster training a process uses, and how."""

from __future__ import annotations

import threading
from typing import Any

from ms_compat._core.checks import check_choice
from ms_compat.boost.base import OptimizerProcess, ParameterProcess
from ms_compat.boost.grad_freeze import GradientFreeze
from ms_compat.boost.less_batch_normalization import LessBN
from ms_compat.boost.principal_components import local_path
from ms_compat.nn.cell import Cell
from ms_compat.nn.optim.gradient_descent import SGD

_WAYS = ("less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce", "loss_scale_group")
_LEVELS: dict[str, tuple[str, ...]] = {"O0": (), "O1": _WAYS[:2], "O2": _WAYS[:3]}
_MODES = ("auto", "manual", "enable_all", "disable_all")
# Where the configuration's entries are kept; the value is the default.
_ENTRIES = {
    "fn_flag": ("_fn_flag", True),
    "gc_flag": ("_gc_flag", True),
    "param_groups": ("_param_groups", 10),
    "freeze_type": ("_freeze_type", 1),
    "freeze_p": ("_freeze_p", 0.7),
    "total_steps": ("_total_steps", 65536),
    "gradient_split_groups": ("gradient_groups", None),
    "device_number": ("device_number", 8),
    "grad_accumulation_step": ("grad_accumulation_step", 1),
    "rho": ("rho", 0.55),
    "gamma": ("gamma", 0.9),
    "alpha": ("alpha", 0.001),
    "sigma": ("sigma", 0.4),
    "n_components": ("n_components", 32),
    "pca_mat_path": ("pca_mat_path", None),
    "weight_load_dir": ("weight_load_dir", None),
    "timeout": ("timeout", 1800),
}


class AutoBoost:
    """The configuration of faster training: one object a process, as in MindSpore; the first call decides.

    Making a `BoostTrainOneStepCell`, or a `Model` with a `boost_level`, is such a call as well.

    Args:
        level (str): "O0" for nothing, "O1" for normalized last layers and frozen layers, "O2" for adaptive sums as
            well. Another level counts as "O0".
        boost_config_dict (dict): entries by topic. "boost" has the "mode": "auto" for the level's ways, "manual" for
            the entries beside it (`{"less_bn": True}`), "enable_all" or "disable_all". "common" has
            "gradient_split_groups", "device_number" and "grad_accumulation_step"; "less_bn", "grad_freeze" and
            "dim_reduce" have the arguments of these ways.

    Raises:
        ValueError: the mode is unknown, or "gradient_split_groups" is not a list.

    Example::

        boost = AutoBoost("O1", {"boost": {"mode": "manual", "less_bn": True, "grad_freeze": False}})
        network, optimizer = boost.network_auto_process_train(network, optimizer)
    """

    _fn_flag: bool
    _gc_flag: bool
    _param_groups: int
    _freeze_type: int
    _freeze_p: float
    _total_steps: int
    gradient_groups: list[int] | None
    device_number: int
    grad_accumulation_step: int
    rho: float
    gamma: float
    alpha: float
    sigma: float
    n_components: int
    pca_mat_path: str | None
    weight_load_dir: str | None
    timeout: float
    level: str | None = None
    _instance: AutoBoost | None = None
    _lock = threading.Lock()

    def __new__(cls, *args: Any, **kwargs: Any) -> AutoBoost:
        with cls._lock:
            if AutoBoost._instance is None:
                AutoBoost._instance = super().__new__(cls)
        return AutoBoost._instance

    def __init__(self, level: str = "O0", boost_config_dict: Any = "") -> None:
        if self.level is not None:
            return
        level = level if level in _LEVELS else "O0"
        for attribute, default in _ENTRIES.values():
            setattr(self, attribute, default)
        self.local_pca_mat_path: str | None = None
        self.boost_config_dict = boost_config_dict
        self.boost_config = self._configured(level, boost_config_dict or {})
        self._param_processer = ParameterProcess()
        self.level = level

    def _configured(self, level: str, given: dict[str, Any]) -> dict[str, bool]:
        chosen = given.get("boost", {})
        mode = check_choice("AutoBoost", "boost_config_dict['boost']['mode']", chosen.get("mode", "auto"), _MODES)
        config = {way: way in _LEVELS[level] for way in _WAYS}
        if mode == "manual":
            config.update({way: value for way, value in chosen.items() if way in config})
        elif mode != "auto":
            config = dict.fromkeys(_WAYS, mode == "enable_all")
        for topic, entries in given.items():
            if topic != "common" and not config.get(topic):
                continue
            for name, value in entries.items():
                if name == "gradient_split_groups" and not isinstance(value, list):
                    raise ValueError(f"For 'AutoBoost', '{name}' must be a list of int, but got {value!r}.")
                if name in _ENTRIES:
                    setattr(self, _ENTRIES[name][0], value)
        return config

    def network_auto_process_train(self, network: Cell, optimizer: Any) -> tuple[Cell, Any]:
        """Return the network and the optimizer for the configured ways.

        Args:
            network (Cell): the network, which is changed.
            optimizer (Optimizer): its optimizer.
        """
        config = self.boost_config
        if config["dim_reduce"]:
            self.local_pca_mat_path = local_path(
                self.weight_load_dir, self.pca_mat_path, self.n_components, self.device_number, network
            )
            optimizer = SGD(network.trainable_params(), learning_rate=1)
            optimizer.dim_reduce = True
            return network, optimizer
        if config["less_bn"]:
            network = LessBN(network, fn_flag=self._fn_flag)
            process = OptimizerProcess(optimizer)
            numbered = self._param_processer.assign_parameter_group(network.trainable_params(), self.gradient_groups)
            process.origin_params = ParameterProcess.generate_group_params(numbered, process.origin_params)
            if self._gc_flag:
                process.add_grad_centralization(network)
            optimizer = process.generate_new_optimizer()
        if config["grad_freeze"]:
            freeze = GradientFreeze(self._param_groups, self._freeze_type, self._freeze_p, self._total_steps)
            network, optimizer = freeze.freeze_generate(network, optimizer)
        if config["adasum"]:
            optimizer.adasum = True
        return network, optimizer

    def network_auto_process_eval(self, network: Cell) -> Cell:
        """Return the network that evaluates, for the configured ways.

        Args:
            network (Cell): the network.
        """
        config = self.boost_config
        return LessBN(network) if config["less_bn"] and not config["dim_reduce"] else network
