"""A data set for the tests of loaders and samplers."""

import time

import numpy as np

from ms_compat.dataset import dataloader


class Squares(dataloader.Dataset):
    def __init__(self, count, pause=0.0):
        self.count, self.pause = count, pause

    def __getitem__(self, index):
        time.sleep(self.pause)
        return np.float32(index**2), {"index": index}

    def __len__(self):
        return self.count
