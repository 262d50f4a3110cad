"""Images with annotations of VOC."""

import pytest

import ms_compat.dataset as ds
from tests.conformance import dataset_archives
from tests.dataset import recorded
from tests.dataset.sources.folders import folder


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize(
    "xml",
    [
        b"<annotation>",
        b"<annotation><object><name>dog</name></object></annotation>",
        b"<annotation><object><name>dog</name><bndbox><xmin>3</xmin><ymin>1</ymin><xmax>2</xmax><ymax>5</ymax>"
        b"</bndbox></object></annotation>",
    ],
)
def test_a_broken_annotation_is_refused(tmp_path, xml):
    root = folder(tmp_path, dataset_archives.voc() | {"Annotations/1.xml": xml})
    with pytest.raises(RuntimeError, match="1.xml"):
        len(ds.VOCDataset(root, "Detection"))
