"""Folders of files for tests of sources."""

from tests.conformance import dataset_archives


def folder(root, files):
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return str(root)


def archive(root, name):
    return folder(root, dataset_archives.FILES[name]())
