"""MindSpore's tools for trees of `ast`. Re-exports only."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.rewrite.ast_helpers.ast_finder import AstFinder as AstFinder
from ms_compat.rewrite.ast_helpers.ast_flattener import AstFlattener as AstFlattener
from ms_compat.rewrite.ast_helpers.ast_replacer import AstReplacer as AstReplacer

__getattr__ = unsupported_getattr(__name__)
