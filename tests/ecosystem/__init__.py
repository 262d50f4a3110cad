"""MindSpore's packages, unmodified, where they are installed: `python -m pytest -m ecosystem tests/ecosystem`.

They are installed with `pip install --no-deps`, since they ask for MindSpore itself, and what they import besides. What
was found stands in `ms_compat/cli/packages.json`, which `ms-compat check --package NAME` and the guide show.
"""
