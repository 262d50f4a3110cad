"""Random MindSpore programs that are compared with MindSpore itself; README.md tells how, `--help` what to run."""
