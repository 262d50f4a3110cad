"""Segmentation of Chinese text."""

import os
import pickle

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat.dataset import text
from tests.conformance import dataset_names
from tests.dataset import recorded

JIEBA, MODEL = (dataset_names.namespace(ms)[name] for name in ("jieba", "model"))


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize(
    "files",
    [
        {"words": "a b n\nab 3 n\n"},
        {"words": "a 0 n\nab 3 n\n"},
        {"words": "ab -5 n\nb 8 n\n"},
        MODEL((8, None)),
        MODEL((5, "")),
        MODEL((5, "今,天:1")),
        MODEL((5, "今天:-1,天:1")),
        MODEL((5, "今:-1,,天:1")),
    ],
    ids=lambda files: "; ".join(files),
)
def test_files_with_which_mindspore_aborts_are_errors(files):
    with pytest.raises(RuntimeError, match="For 'JiebaTokenizer', the file '(mp|hmm)_path' must"):
        JIEBA(files=files)("今天")


def test_frequencies_that_overflow_in_mindspore_count_here():
    """MindSpore reads 2**31 and more as negative, and then never finds the word."""
    assert JIEBA("MP", ("男默女泪", 2**32 - 1))("男默女泪").tolist() == ["男默女泪"]


def test_a_tokenizer_keeps_its_words_when_it_is_pickled_or_used_before():
    tokenizer = JIEBA("MP")
    assert tokenizer("男默女泪").tolist() == ["男", "默", "女", "泪"]
    tokenizer.add_word("男默女泪")
    assert tokenizer("男默女泪").tolist() == pickle.loads(pickle.dumps(tokenizer))("男默女泪").tolist() == ["男默女泪"]


def test_the_files_are_read_once_and_by_each_process():
    tokenizer = JIEBA("MP")
    data = ds.NumpySlicesDataset(["今天天气"] * 4, ["x"]).map(
        lambda x: tokenizer(x), ["x"], num_parallel_workers=2, python_multiprocessing=True
    )
    rows = [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert rows == [["今天", "天气"]] * 4
    tokenizer("今天")
    os.remove(tokenizer.mp_path)
    assert tokenizer("今天天气").tolist() == ["今天", "天气"]


def test_words_that_were_added_are_not_lost_in_json(caplog):
    plain, changed = JIEBA("MP"), JIEBA("MP", ("今天天气", 10000))
    data = ds.deserialize(ds.serialize(ds.NumpySlicesDataset(["今天天气"]).map(plain)))
    assert next(data.create_tuple_iterator(output_numpy=True))[0].tolist() == ["今天", "天气"]
    held = ds.serialize(ds.NumpySlicesDataset(["今天天气"]).map(changed))
    with pytest.raises(ms.UnsupportedError, match="JiebaTokenizer"):
        ds.deserialize(held)


def test_the_mode_is_an_enum_of_both_modules():
    assert ms.dataset.text.utils.JiebaMode is text.JiebaMode and np.int64(0) == text.JiebaMode.MIX
