"""The two versions of the package.

`mindspore.__version__` has to be a MindSpore version, since scripts parse it and branch on it; and because `mindspore`
is the very module `ms_compat`, `ms_compat.__version__` is that same string. The package's own version is
`__compat_version__`.
"""

__version__ = "2.10.0"
__compat_version__ = "0.1.0"
