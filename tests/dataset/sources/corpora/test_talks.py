"""Recorded cases of the collections in this module."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.conformance.dataset_corpora import sphere
from tests.dataset import recorded
from tests.dataset.sources.folders import archive


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_recordings_of_talks_are_cut_at_the_times_of_the_sentences(tmp_path):
    root = archive(tmp_path, "tedlium")

    def waveforms(*arguments):
        data = ds.TedliumDataset(*arguments, "dev", shuffle=False).project("waveform")
        return [row for (row,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    assert waveforms(f"{root}/little", "release2")[0].tolist() == [
        (np.arange(20) / np.float32(32767)).astype(np.float32).tolist()
    ]
    # Big-endian; two talks, three sentences each.
    waves = [row[0] * 32767 for row in waveforms(f"{root}/one", "release1")]
    assert [round(float(wave[0])) for wave in waves] == [85, -15, 92, -8, 100, 0]
    held = sphere([1], 8)
    for damage in (b"RIFF", held.replace(b"pcm", b"ulaw"), held.replace(b"channel_count -i 1", b"channel_count -i 2")):
        (tmp_path / "little/dev/sph/A.sph").write_bytes(damage)
        with pytest.raises(RuntimeError, match=r"A\.sph.* cannot be read"):
            waveforms(f"{root}/little", "release2")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("stm/A.stm", b" 2 ", b" 1e999 "), ("stm/A.stm", b" 0 ", b" nan "), ("stm/A.stm", b" 0 ", b" -1 "),
        ("sph/A.sph", b"   1024", b"9" * 15), ("sph/A.sph", b"sample_rate -i ", b"sample_rate -i 99999999999"),
    ],
)  # fmt: skip
def test_numbers_beyond_a_recording_are_refused(name, old, new, tmp_path):
    """Each was an OverflowError or a MemoryError."""
    root = archive(tmp_path, "tedlium")
    path = tmp_path / "little/dev" / name
    data = path.read_bytes()
    assert data.count(old) == 1, data
    path.write_bytes(data.replace(old, new))
    with pytest.raises(RuntimeError, match=r"A\.(stm|sph).* cannot be read"):
        list(ds.TedliumDataset(f"{root}/little", "release2", "dev", shuffle=False))
