"""`RootMeanSquareDistance`, under the path that MindSpore has for it."""

from ms_compat.train.metrics.mean_surface_distance import RootMeanSquareDistance as RootMeanSquareDistance
