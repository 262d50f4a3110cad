"""Reading bytes as a file of checkpoints."""

from ms_compat._formats.checkpoint import codec


def load(raw, tmp_path, reader=codec.CkptReader, name="f.ckpt", **options):
    """What a file of these bytes holds, by name."""
    path = tmp_path / name
    path.unlink(missing_ok=True)
    path.write_bytes(raw)
    with reader(str(path), **options) as opened:
        return {key: opened.read(key) for key in opened.names}
