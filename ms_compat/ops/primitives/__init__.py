"""The primitive classes, made from one table a topic; `ms_compat.ops` serves them."""
