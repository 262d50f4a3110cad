"""Folders of files whose frames are not the user's: of this package, of JAX, of Python's own modules."""

from __future__ import annotations

import os
import sysconfig

import jax

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
JAX = os.path.dirname(os.path.abspath(jax.__file__)) + os.sep
STANDARD = sysconfig.get_path("stdlib") + os.sep
