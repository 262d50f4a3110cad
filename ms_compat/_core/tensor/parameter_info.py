"""`Parameter.param_info`: a Parameter's facts as a separate object."""

from __future__ import annotations

import copy
from typing import Any

# what a Parameter keeps itself; its info reads and writes these there
_OF_PARAMETERS = {
    "name": "Parameter",
    "requires_grad": True,
    "layerwise_parallel": False,
    "parallel_optimizer": True,
    "parallel_optimizer_comm_recompute": False,
    "comm_fusion": 1,
    "cache_enable": False,
    "cache_shape": [],
    "is_pipeline_shared_param": False,
    "key": -1,
}
_LISTS = "alias_name device_matrix origin_shape param_strategy parameter_shape quant_shape tensor_map"


class ParamInfo:
    """The facts of a Parameter, or of a library's class that has such facts.

    Attributes:
        obj: the Parameter; a clone has none before it is given to another Parameter, which takes its facts over.

    >>> info = ParamInfo()
    >>> info.name = "w"
    >>> info.clone().name, info.requires_grad
    ('w', True)
    """

    obj: Any
    parameter_shape: list[int]

    def __init__(self) -> None:
        self._facts = copy.deepcopy(_OF_PARAMETERS)
        self.requires_aggr = True
        self.is_param_init = self.is_quant_int4 = self.use_persistent_storage = False
        self.interleaved_parallel = self.is_in_pynative_shard = False
        self.storage_format = ""
        self.__dict__.update({name: [] for name in _LISTS.split()})

    def clone(self) -> ParamInfo:
        """Returns another with the same facts, of no Parameter."""
        cloned = ParamInfo()
        known = cloned.__dict__.keys() - {"_facts"}
        cloned.__dict__.update({name: copy.copy(self.__dict__[name]) for name in known})
        cloned._facts = self._now()
        return cloned

    def _now(self) -> dict[str, Any]:
        return {name: copy.copy(getattr(self, name)) for name in _OF_PARAMETERS}

    def _leave(self) -> None:
        """Keep the facts as they are, apart from the Parameter that takes another's."""
        self._facts = self._now()
        del self.obj

    def _belongs_to(self, parameter: Any) -> ParamInfo:
        """The info for a Parameter whose facts are the Parameter's own."""
        self.obj = parameter
        return self

    def _give_to(self, parameter: Any) -> ParamInfo:
        """Give a Parameter the facts; what is another's already stays there, and a clone is given."""
        own = self.clone() if getattr(self, "obj", parameter) is not parameter else self
        for name, value in own._facts.items():
            if getattr(parameter, name) != value:
                setattr(parameter, name, value)
        return own._belongs_to(parameter)


def _fact(name: str) -> property:
    def read(self) -> Any:
        return getattr(self.obj, name) if "obj" in self.__dict__ else self._facts[name]

    def write(self, value: Any) -> None:
        if "obj" in self.__dict__:
            setattr(self.obj, name, value)
        else:
            self._facts[name] = value

    return property(read, write)


for _name in _OF_PARAMETERS:
    setattr(ParamInfo, _name, _fact(_name))
