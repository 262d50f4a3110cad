"""Checks of arguments are MindSpore's; outcomes recorded with MindSpore 2.10."""

import numpy as np
import pytest

from ms_compat import dataset


class Methods:
    @dataset.text.utils.check_from_file
    def ff(self, file_path, delimiter="", vocab_size=None, special_tokens=None, special_first=True):
        return "ok"

    @dataset.text.utils.check_tokens_to_ids
    def ti(self, tokens):
        return "ok"

    @dataset.text.utils.check_ids_to_tokens
    def it(self, ids):
        return "ok"

    @dataset.text.utils.check_from_list
    def fl(self, word_list, special_tokens=None, special_first=True):
        return "ok"

    @dataset.text.utils.check_from_dict
    def fd(self, word_dict):
        return "ok"

    @dataset.text.utils.check_from_dataset
    def fs(self, rows, columns=None, freq_range=None, top_k=None, special_tokens=None, special_first=True):
        return "ok"

    @dataset.text.utils.check_from_dataset_sentencepiece
    def fds(self, rows, col_names, vocab_size, character_coverage, model_type, params):
        return "ok"

    @dataset.text.utils.check_from_file_sentencepiece
    def ffs(self, file_path, vocab_size, character_coverage, model_type, params):
        return "ok"

    @dataset.text.utils.check_save_model
    def sm(self, vocab, path, filename):
        return "ok"

    @dataset.text.utils.check_from_file_vectors
    def fv(self, file_path, max_vectors=None):
        return "ok"


RECORDED = {
    "ok": """
        ff('x'); ti('x'); ti(['x']); ti(np.array(['a'])); it(3); it([1,2]); fl(['a']); fd({'a':1}); fs(1); fs(1,'c');
        fs(1,['c']); fs(1,[3]); fs(1,None,(1,2)); fs(1,None,(None,1)); fds(1,['c'],5,0.9,'x',{});
        ffs(['f'],5,0.9,'x',{}); ffs(['f'],None,0.9,'x',{}); sm(None,'p','f'); fv('x'); fv(''); fv('x',0)
    """,
    "TypeError": """
        ff(3); ff('x',special_tokens=[1]); ff('x',special_first=1); ff('x',special_tokens=3); ff('x','','a');
        ti([1]); ti(3); it(['a']); it(True); it('a'); fl('a'); fl(['a'],['b'],1); fl([1]); fd(3); fd({1:1});
        fd({'a':'b'}); fd({'a':True}); fs(1,3); fs(1,None,3); fs(1,None,None,'a'); fs(1,special_first=2);
        fds(1,[3],5,0.9,'x',{}); fds(1,['c'],None,0.9,'x',{}); fds(1,['c'],5,1,'x',{}); fds(1,['c'],5,0.9,3,{});
        fds(1,['c'],5,0.9,'x',3); fds(1,['c'],'a',0.9,'x',{}); ffs('f',5,0.9,'x',{}); ffs(['f'],5,1,'x',{});
        ffs(['f'],5,.9,3,{}); ffs(['f'],5,.9,'x',3); sm(3,'p','f'); sm(None,3,'f'); sm(None,'p',3); fv(3);
        fv('x','a'); fv(); fv('x', foo=3)
    """,
    "ValueError": """
        ff('x',',',0); ff('x',',',-1); ff('x',special_tokens=['a','a']); it(-1); it([-1]); fl(['a','a']);
        fl(['a'],['a']); fd({'a':-1}); fs(1,None,(1,)); fs(1,None,(2,1)); fs(1,None,(-1,1)); fs(1,None,('a',1));
        fs(1,None,None,0); fs(1,special_tokens=['a','a']); fds(1,['c'],-1,0.9,'x',{}); ffs(['f'],-1,0.9,'x',{});
        fv('x',-1)
    """,
}


@pytest.mark.parametrize(
    ("call", "outcome"), [(call.strip(), key) for key, calls in RECORDED.items() for call in calls.split(";")]
)
def test_calls_end_as_recorded(call, outcome):
    names = {"np": np, **{name: getattr(Methods(), name) for name in dir(Methods) if name[0] != "_"}}
    if outcome == "ok":
        assert eval(call, names) == "ok"
        return
    with pytest.raises((TypeError, ValueError)) as caught:
        eval(call, names)
    assert type(caught.value).__name__ == outcome


def test_methods_keep_their_names():
    assert Methods.fd.__name__ == "fd"


def test_a_vocabulary_is_one():
    dataset.text.utils.check_vocab(dataset.text.Vocab.from_list(["a"]))
    with pytest.raises(RuntimeError, match="not built yet"):
        dataset.text.utils.check_vocab(3)


def test_types():
    dataset.vision.utils.type_check(1, (int,), "a")
    dataset.vision.utils.type_check(True, (int, bool), "a")
    dataset.vision.utils.type_check_list([1, 2], (int,), ["a", "b"])
    with pytest.raises(TypeError, match=r"Argument a with value True is not of type \(<class 'int'>,\)"):
        dataset.vision.utils.type_check(True, (int,), "a")
    with pytest.raises(TypeError, match=r"Argument a\[1\] with value x is not of type \[<class 'int'>\]"):
        dataset.vision.utils.type_check_list([1, "x"], (int,), "a")
    with pytest.raises(TypeError, match="Argument a with value 3"):
        dataset.vision.utils.type_check_list(3, (int,), "a")
    with pytest.raises(ValueError, match="not the same length"):
        dataset.vision.utils.type_check_list([1], (int,), ["a", "b"])


@pytest.mark.parametrize(
    ("arguments", "interval"),
    [
        ((2, (0, 1), "n"), r"Input n is .* \[0, 1\]"),
        ((0, (0, 1), "n", True), r"\(0, 1\]"),
        ((1, (0, 1), "n", False, True), r"\[0, 1\)"),
        ((1, (0, 1), "", True, True), r"Input is .*\(0, 1\)"),
    ],
)
def test_values_outside_are_refused(arguments, interval):
    dataset.vision.utils.check_value(1, (0, 1))
    with pytest.raises(ValueError, match=interval):
        dataset.vision.utils.check_value(*arguments)


def test_files():
    dataset.vision.utils.check_file(__file__)
    for path, error in ((3, TypeError), ("/none", ValueError), ("", ValueError), ("/none/a?b", ValueError)):
        with pytest.raises(error):
            dataset.vision.utils.check_file(path)


@pytest.mark.parametrize(
    ("given", "expected"),
    [(3, (3,) * 4), ((1, 2), (1, 2, 1, 2)), ([1, 2, 3, 4], (1, 2, 3, 4)), ((1, 2, 3), (1, 2, 3)), (1.5, (1.5,) * 4)],
)
def test_padding(given, expected):
    assert dataset.vision.utils.parse_padding(given) == expected


def test_records_of_decoders():
    made = vars(dataset.vision.utils.DecodeParams(1, 2, 3, 4))
    assert made == {"container": 1, "start_offset": 2, "end_offset": 3, "stream": 4}
    assert vars(dataset.vision.utils.VideoFrameDvpp()) == {"pts": 0, "dts": 0}
    assert vars(dataset.vision.utils.VideoFrameDvpp(1, 2)) == {"pts": 2, "dts": 1}
    assert dataset.vision.utils.get_video_backend() == "CPU"
