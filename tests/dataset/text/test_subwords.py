"""Models of subwords, and their tokenizer."""

import pickle
import sys

import pytest

import ms_compat.dataset as ds
from ms_compat.dataset import text
from tests.dataset import recorded
from tests.dataset.sources.folders import archive


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def model(root):
    path = archive(root, "sentences") + "/corpus.txt"
    return text.SentencePieceVocab.from_file([path], 60, 0.9995, text.SentencePieceModel.BPE, {})


def test_a_tokenizer_works_in_a_pipeline_and_after_pickling(tmp_path):
    tokenizer = text.SentencePieceTokenizer(model(tmp_path), text.SPieceTokenizerOutType.STRING)
    wanted = tokenizer("the big dog").tolist()
    data = ds.NumpySlicesDataset(["the big dog"]).map(pickle.loads(pickle.dumps(tokenizer)))
    assert [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [wanted]


def test_an_empty_model_and_a_missing_folder_are_errors(tmp_path):
    with pytest.raises(RuntimeError, match="the model is empty"):
        text.SentencePieceVocab.save_model(text.SentencePieceVocab(), str(tmp_path), "a")
    with pytest.raises(RuntimeError, match="must be a folder that exists"):
        text.SentencePieceVocab.save_model(model(tmp_path), str(tmp_path / "none"), "a")


def test_without_the_package_the_error_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(ImportError, match=r"pip install 'ms-compat\[text\]'"):
        text.SentencePieceTokenizer("a", text.SPieceTokenizerOutType.INT)("b")
