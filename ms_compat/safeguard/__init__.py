"""`mindspore.safeguard`: checkpoints with obfuscated weights. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.safeguard.rewrite_obfuscation import load_obf_params_into_net as load_obf_params_into_net
from ms_compat.safeguard.rewrite_obfuscation import obfuscate_ckpt as obfuscate_ckpt

__getattr__ = unsupported_getattr(__name__)
