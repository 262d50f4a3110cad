"""`mindspore.device_context.ascend.op_debug`."""

from ms_compat.device_context._settings import setting

execute_timeout = setting("ascend.op_debug", "execute_timeout", "The seconds an operation may take", "op_timeout", int)
debug_option = setting("ascend.op_debug", "debug_option", "What is checked while computing", "option_value", str,
                       ("oom",))  # fmt: skip
aclinit_config = setting("ascend.op_debug", "aclinit_config", "Options of the Ascend runtime's start", "config", dict)
