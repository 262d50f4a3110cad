"""Layouts, shardings, and programs over several devices and processes."""
