"""Files that are written whole or not at all: on a full disk, and through symbolic links."""

import errno
import os

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import mindrecord, nn
from ms_compat.dataset import vision

resource = pytest.importorskip("resource")
VALUES = [{"name": "w", "data": ms.Tensor(np.zeros(1 << 20, np.float32))}]


@pytest.fixture
def small_disk():
    """The system refuses files of more than a MiB, as it does on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_a_full_disk_is_the_same_error_in_both_formats_and_leaves_the_old_file(format, tmp_path, small_disk):
    path = tmp_path / f"a.{format}"
    path.write_bytes(b"old")
    with pytest.raises(OSError) as caught:
        ms.save_checkpoint(VALUES, str(path), format=format)
    assert type(caught.value) is OSError and caught.value.errno == errno.EFBIG
    assert os.listdir(tmp_path) == [path.name] and path.read_bytes() == b"old"


def export(path):
    ms.export(nn.Dense(2, 2), ms.Tensor(np.zeros((1, 2), np.float32)), file_name=path, file_format="MINDIR")


def rows(path):
    writer = mindrecord.FileWriter(path, overwrite=True)
    writer.add_schema({"a": {"type": "int32"}}, "x")
    writer.write_raw_data([{"a": 1}])
    writer.commit()


WRITERS = {
    "a.ckpt": lambda path: ms.save_checkpoint(VALUES, path),
    "a.safetensors": lambda path: ms.save_checkpoint(VALUES, path, format="safetensors"),
    "a.mindir": export,
    "a.mindrecord": rows,
    "a.bin": lambda path: vision.write_file(path, np.zeros(3, np.uint8)),
}


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("name", WRITERS)
def test_a_link_stays_and_its_target_is_written(name, there, tmp_path):
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / f"real.{name}", tmp_path / name
    if there:
        target.write_bytes(b"old")
    link.symlink_to(target)
    WRITERS[name](str(link))
    assert link.is_symlink() and os.readlink(link) == str(target)
    assert not target.is_symlink() and target.stat().st_size >= 3 and target.read_bytes() != b"old"
    assert {path.name for path in tmp_path.iterdir()} <= {"far", name, f"{name}.db"}
    assert os.listdir(tmp_path / "far") == [target.name]


def test_a_link_to_itself_is_no_place_for_a_graph(tmp_path):
    (tmp_path / "a.mindir").symlink_to("a.mindir")
    with pytest.raises(OSError) as caught:
        export(str(tmp_path / "a.mindir"))
    assert caught.value.errno == errno.ELOOP  # as MindSpore raises
    with pytest.raises(ValueError, match="there is no file"):
        ms.load(str(tmp_path / "a.mindir"))
