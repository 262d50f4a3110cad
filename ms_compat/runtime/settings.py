"""Settings of MindSpore's own runtime that XLA decides here: checked, logged and without effect."""

from __future__ import annotations

import logging

from ms_compat._core.errors import check_bool, check_positive_int, check_type, unsupported_argument

logger = logging.getLogger("ms_compat")


def set_memory(
    init_size: str = "2GB",
    increase_size: str = "2GB",
    max_size: str = "1024GB",
    optimize_level: str = "O0",
    huge_page_reserve_size: str = "0GB",
) -> None:
    """Sizes of MindSpore's pool; without effect. JAX's pool is set by `XLA_PYTHON_CLIENT_MEM_FRACTION`.

    Args:
        init_size, increase_size, max_size, huge_page_reserve_size: such as "2GB".
        optimize_level: "O0" or "O1".

    Raises:
        TypeError: no str.
    """
    given = {"init_size": init_size, "increase_size": increase_size, "max_size": max_size,
             "optimize_level": optimize_level, "huge_page_reserve_size": huge_page_reserve_size}  # fmt: skip
    for name, value in given.items():
        check_type("set_memory", name, value, str)
    logger.debug("runtime.set_memory(%s) has no effect: XLA has a pool of its own", given)


def dispatch_threads_num(threads_num: int) -> None:
    """The number of threads that dispatch operations; without effect."""
    check_positive_int("dispatch_threads_num", "threads_num", threads_num)
    logger.debug("runtime.dispatch_threads_num(%d) has no effect", threads_num)


def set_cpu_affinity(enable_affinity, affinity_cpu_list=None, module_to_cpu_dict=None, bind_file=None) -> None:
    """Binds threads to cores. Unless the caller names cores, threads may run on all cores that the process may use.

    Raises:
        TypeError: `enable_affinity` is not a bool.
        UnsupportedError: it is True, and the caller names cores.
    """
    named = affinity_cpu_list or module_to_cpu_dict or bind_file
    if check_bool("set_cpu_affinity", "enable_affinity", enable_affinity) and named:
        unsupported_argument(
            "runtime.set_cpu_affinity", "enable_affinity", True, "Start the process under 'taskset' or 'numactl'."
        )
    logger.debug("runtime.set_cpu_affinity(%s): XLA's threads run on all cores", enable_affinity)


def set_kernel_launch_group(thread_num: int = 2, kernel_group_num: int = 8) -> None:
    """How kernels are launched in groups; without effect."""
    check_positive_int("set_kernel_launch_group", "thread_num", thread_num)
    check_positive_int("set_kernel_launch_group", "kernel_group_num", kernel_group_num)
    logger.debug("runtime.set_kernel_launch_group(%d, %d) has no effect", thread_num, kernel_group_num)


def set_kernel_launch_capture(enable_capture_graph, op_capture_skip=None) -> None:
    """Whether launches are captured in a device graph; without effect."""
    check_bool("set_kernel_launch_capture", "enable_capture_graph", enable_capture_graph)
    logger.debug("runtime.set_kernel_launch_capture(%s, %s) has no effect", enable_capture_graph, op_capture_skip)
