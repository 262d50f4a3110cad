"""Recordings of speech."""

from pathlib import Path

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded
from tests.dataset.sources.folders import archive


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_broken_waveform_or_list_is_refused(tmp_path):
    root = Path(archive(tmp_path, "speech"))
    (root / "yesno/0_1_1_0_1_0_1_1.wav").write_bytes(b"RIFFxxxx")
    (root / "lj/metadata.csv").write_bytes(b"LJ001-0001|alone\n")
    (root / "commands/testing_list.txt").unlink()
    for data in (
        ds.YesNoDataset(str(root / "yesno"), shuffle=False),
        ds.LJSpeechDataset(str(root / "lj")),
        ds.SpeechCommandsDataset(str(root / "commands"), "train"),
    ):
        with pytest.raises(RuntimeError, match=type(data).__name__):
            list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_wide_samples_are_read(tmp_path):
    import wave

    for width, values, expected in ((1, b"\0\x80\xff", [-128 / 127, 0, 1]), (4, b"\xff\xff\xff\x7f", [1.0])):
        with wave.open(str(tmp_path / "0_1_1_0_1_0_1_1.wav"), "wb") as file:
            file.setparams((1, width, 8000, 0, "NONE", "NONE"))
            file.writeframes(values)
        (row,) = ds.YesNoDataset(str(tmp_path)).create_dict_iterator(num_epochs=1, output_numpy=True)
        np.testing.assert_allclose(row["waveform"], [expected], rtol=1e-6)
