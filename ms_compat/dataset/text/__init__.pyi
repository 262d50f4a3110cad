# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from . import hash_order as hash_order
from . import jieba as jieba
from . import patterns as patterns
from . import strings as strings
from . import subwords as subwords
from . import tokenizers as tokenizers
from . import vectors as vectors
from . import vocab as vocab
from ms_compat.dataset.text.jieba import JiebaMode as JiebaMode
from ms_compat.dataset.text.jieba import JiebaTokenizer as JiebaTokenizer
from ms_compat.dataset.text.strings import AddToken as AddToken
from ms_compat.dataset.text.strings import CaseFold as CaseFold
from ms_compat.dataset.text.strings import FilterWikipediaXML as FilterWikipediaXML
from ms_compat.dataset.text.strings import Ngram as Ngram
from ms_compat.dataset.text.strings import NormalizeForm as NormalizeForm
from ms_compat.dataset.text.strings import NormalizeUTF8 as NormalizeUTF8
from ms_compat.dataset.text.strings import PythonTokenizer as PythonTokenizer
from ms_compat.dataset.text.strings import RegexReplace as RegexReplace
from ms_compat.dataset.text.strings import SlidingWindow as SlidingWindow
from ms_compat.dataset.text.strings import ToNumber as ToNumber
from ms_compat.dataset.text.strings import Truncate as Truncate
from ms_compat.dataset.text.strings import TruncateSequencePair as TruncateSequencePair
from ms_compat.dataset.text.strings import to_bytes as to_bytes
from ms_compat.dataset.text.strings import to_str as to_str
from ms_compat.dataset.text.subwords import SPieceTokenizerLoadType as SPieceTokenizerLoadType
from ms_compat.dataset.text.subwords import SPieceTokenizerOutType as SPieceTokenizerOutType
from ms_compat.dataset.text.subwords import SentencePieceModel as SentencePieceModel
from ms_compat.dataset.text.subwords import SentencePieceTokenizer as SentencePieceTokenizer
from ms_compat.dataset.text.subwords import SentencePieceVocab as SentencePieceVocab
from ms_compat.dataset.text.tokenizers import BasicTokenizer as BasicTokenizer
from ms_compat.dataset.text.tokenizers import BertTokenizer as BertTokenizer
from ms_compat.dataset.text.tokenizers import RegexTokenizer as RegexTokenizer
from ms_compat.dataset.text.tokenizers import UnicodeCharTokenizer as UnicodeCharTokenizer
from ms_compat.dataset.text.tokenizers import UnicodeScriptTokenizer as UnicodeScriptTokenizer
from ms_compat.dataset.text.tokenizers import WhitespaceTokenizer as WhitespaceTokenizer
from ms_compat.dataset.text.tokenizers import WordpieceTokenizer as WordpieceTokenizer
from ms_compat.dataset.text.vectors import CharNGram as CharNGram
from ms_compat.dataset.text.vectors import FastText as FastText
from ms_compat.dataset.text.vectors import GloVe as GloVe
from ms_compat.dataset.text.vectors import ToVectors as ToVectors
from ms_compat.dataset.text.vectors import Vectors as Vectors
from ms_compat.dataset.text.vocab import Lookup as Lookup
from ms_compat.dataset.text.vocab import Vocab as Vocab
