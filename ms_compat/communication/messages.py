"""Messages from one process to another: tensors, and Python objects.

They go through the key-value store of JAX's coordinator, to which every process of a job connects. So sender and
receiver need not agree on an order: an `isend` returns at once, and only the receiver waits. A tensor passes through
the hosts' memory; collectives stay on the devices. Objects travel as data, see `encoding.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import Tracer, coordination_client
from ms_compat._core.tensor import Tensor, to_device, wrap
from ms_compat.communication import departures
from ms_compat.communication.encoding import decode, encode
from ms_compat.communication.management import get_rank

_CHUNK = 1 << 20
_PERIOD = 1000  # milliseconds between two checks that the sender is still in the job
_counts: Counter[tuple] = Counter()


def _next(*address: Any) -> str:
    """The key of an address's next message; both sides count."""
    _counts[address] += 1
    return "/".join(["ms_compat", *map(str, address), str(_counts[address])])


def _post(key: str, data: bytes, facts: dict[str, Any]) -> None:
    client = coordination_client()
    chunks = range(0, len(data), _CHUNK)
    for number, start in enumerate(chunks):
        client.key_value_set_bytes(f"{key}/{number}", data[start : start + _CHUNK])
    client.key_value_set(key, json.dumps({**facts, "chunks": len(chunks)}))


def _wait(api: str, peer: int, get: Callable[[str, int], Any], key: str) -> Any:
    """A key's value; waits for it as long as its sender is in the job."""
    while True:
        gone = departures.has_left(peer)  # checked before reading: a rank's messages arrive before it leaves
        try:
            return get(key, _PERIOD)
        except jax.errors.JaxRuntimeError as error:
            if "DEADLINE_EXCEEDED" not in str(error):
                raise
            if gone:
                raise departures.Deserted(api, peer) from None


def _fetch(api: str, peer: int, key: str, keep: bool = False) -> tuple[bytes, dict[str, Any]]:
    client = coordination_client()
    facts = json.loads(_wait(api, peer, client.blocking_key_value_get, key))
    keys = [f"{key}/{number}" for number in range(facts["chunks"])]
    data = b"".join([_wait(api, peer, client.blocking_key_value_get_bytes, k) for k in keys])
    if not keep:
        for k in (key, *keys):
            client.key_value_delete(k)
    return data, facts


def send(tensor: Tensor, peer: int, group: str, tag: int = 0) -> None:
    """Sends a tensor and does not wait.

    Args:
        tensor: what to send.
        peer: the receiver's number among all processes.
        group: the name of the group that both are in.
        tag: distinguishes messages between the same processes.

    Raises:
        UnsupportedError: inside a compiled function.
    """
    if isinstance(tensor._v, Tracer):
        raise UnsupportedError("send inside a compiled function", "Use AlltoAll or Broadcast there, or PYNATIVE_MODE.")
    array = np.ascontiguousarray(np.asarray(tensor._v))
    key = _next("tensor", group, get_rank(), peer, tag)
    _post(key, array.tobytes(), {"dtype": tensor.dtype._label, "shape": tensor.shape})


class Receipt:
    """A message that is on its way; creating this object fixes the message's place in the order."""

    def __init__(self, api: str, peer: int, group: str, tag: int, shape: tuple[int, ...], dtype: mstype.Type) -> None:
        self.api, self.peer, self.shape, self.dtype = api, peer, tuple(shape), dtype
        self._key = _next("tensor", group, peer, get_rank(), tag)

    def take(self) -> Tensor:
        """Waits for the message.

        Raises:
            ValueError: it has another shape or dtype.
            RuntimeError: the sender has left the job.
        """
        data, facts = _fetch(self.api, self.peer, self._key)
        if tuple(facts["shape"]) != self.shape or facts["dtype"] != self.dtype._label:
            raise ValueError(
                f"For '{self.api}', a tensor of shape {self.shape} and dtype {self.dtype} was expected, but the "
                f"process {self.peer} sent one of shape {tuple(facts['shape'])} and dtype {facts['dtype']}."
            )
        return wrap(to_device(np.frombuffer(data, self.dtype.np_dtype).reshape(self.shape)))


def send_object(api: str, value: Any, peer: int, group: str) -> None:
    """Sends an object that `encode` supports, and does not wait; the other arguments as of `send`."""
    data = encode(api, value)  # before the message is counted, which the receiver will wait for
    _post(_next("object", group, get_rank(), peer), data, {})


def receive_object(api: str, peer: int, group: str) -> Any:
    """Waits for an object; arguments as of `send`."""
    return decode(api, _fetch(api, peer, _next("object", group, peer, get_rank()))[0])


def gather_objects(api: str, value: Any, ranks: tuple[int, ...], group: str) -> list[Any]:
    """Gathers the objects of a group's processes in each process."""
    data = encode(api, value)
    if len(ranks) == 1:
        return [decode(api, data)]
    key = _next("objects", group, *ranks)
    rank = get_rank()
    _post(f"{key}/{rank}", data, {})
    found = [decode(api, _fetch(api, peer, f"{key}/{peer}", keep=True)[0]) for peer in ranks]
    # a process that posted this time has read all objects from the last time
    last = f"{key.rpartition('/')[0]}/{int(key.rpartition('/')[2]) - 1}/{rank}"
    client = coordination_client()
    client.key_value_delete(last)
    return found
