"""The commands of `python -m ms_compat`, one file each; `ms_compat/__main__.py` finds them."""
