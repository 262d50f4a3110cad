"""Checkpoints that are cut over devices: one file for each rank, and a strategy file that says how.

`strategy` reads strategy files; `layout` says where a rank's slice is and converts values from one layout to
another, by the steps that `plan` finds; `files` finds the files of ranks. On top: `merge` (slices to a Parameter),
`transform` (one strategy's files to another's), `unify` (safetensors of all ranks to whole ones), `load`
(into a net) and `redundancy` (which ranks hold the same).
"""
