"""Devices, the processes of a job, and libraries that JAX calls on devices."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any

import jax

from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import capabilities

logger = logging.getLogger("ms_compat")


def enable_x64() -> None:
    """Turn on 64-bit types: MindSpore's Int64 and Float64 are exact, and JAX never chooses an output dtype here."""
    jax.config.update("jax_enable_x64", True)


def backends_are_initialized() -> bool:
    """Whether JAX has initialised its devices; this query does not initialise them.

    True where JAX does not say so: then nobody counts on a process that has not started threads.
    """
    return not capabilities.HAS_BACKENDS_QUERY or capabilities.backends_are_initialized()


def coordination_client() -> Any:
    """The client of the key-value store that the processes of a job share; None before `jax.distributed` started.

    Raises:
        UnsupportedError: this JAX does not show its client.
    """
    capabilities.require("HAS_JOB_STATE", "Sending messages between the processes of a job")
    return capabilities.job_state.client


def place_in_job() -> tuple[int, int]:
    """This process's rank and the number of ranks, without making JAX look for its devices where it shows them."""
    if not capabilities.HAS_JOB_STATE:
        return jax.process_index(), jax.process_count()
    return capabilities.job_state.process_id, capabilities.job_state.num_processes


def listen_at(host: str) -> None:
    """Lets the collectives of CPUs listen at one address of this machine, in place of its host name's address.

    For a process that has joined a job and not yet computed.
    """
    if not capabilities.HAS_GLOO_ADDRESS:
        logger.warning("JAX %s chooses the address at which collectives listen, not %s", jax.__version__, host)
        return

    def client() -> Any:
        collectives = None
        if jax.config.jax_cpu_collectives_implementation == "gloo":  # type: ignore[attr-defined]
            collectives = capabilities.collectives.make_gloo_tcp_collectives(coordination_client(), hostname=host)
        return capabilities.make_cpu_client(collectives)

    capabilities.register_backend_factory("cpu", client, priority=0, fail_quietly=False)


@contextlib.contextmanager
def with_cudnn() -> Iterator[None]:
    """A region in which JAX's attention takes cuDNN to be here, for programs of GPUs that are not.

    Raises:
        UnsupportedError: this JAX looks for cuDNN elsewhere.
    """
    capabilities.require("HAS_CUDNN_CHECK", "Planning cuDNN attention for a GPU that is absent")
    attention = capabilities.cudnn_attention
    found = attention.check_cudnn_version
    attention.check_cudnn_version = lambda: 91000  # the version of `_targets`' GPUs
    try:
        yield
    finally:
        attention.check_cudnn_version = found


def strong_wolfe_search(function: Any, at: jax.Array, direction: jax.Array, **options: Any) -> Any:
    """JAX's line search for the strong Wolfe conditions, which `jax.scipy.optimize` uses and does not show.

    Raises:
        UnsupportedError: this JAX has it no longer.
    """
    try:
        from jax._src.scipy.optimize.line_search import line_search
    except ImportError as missing:
        raise UnsupportedError("mindspore.scipy.optimize.line_search", f"JAX {jax.__version__}: {missing}") from missing
    return line_search(function, at, direction, **options)
