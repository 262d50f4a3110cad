"""SentencePiece: models of subwords, and the tokenizer. Needs the package `sentencepiece`, of the extra `text`."""

import enum
import io
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.diagnostics.extras import needed
from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_int_range, check_type
from ms_compat.dataset._support.checks import positions
from ms_compat.dataset.text.strings import need_strings
from ms_compat.dataset.transforms.base import Transform


def _package(api: str) -> Any:
    return needed("sentencepiece", "text", f"'mindspore.dataset.text.{api}'")


@faces("dataset.text")
class SentencePieceModel(enum.IntEnum):
    """How subwords are found.

    >>> SentencePieceModel.BPE.value
    1
    """

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3


@faces("dataset.text")
class SPieceTokenizerOutType(enum.IntEnum):
    """What a `SentencePieceTokenizer` returns.

    >>> SPieceTokenizerOutType.INT.value
    1
    """

    STRING = 0
    INT = 1


@faces("dataset.text")
class SPieceTokenizerLoadType(enum.IntEnum):
    """Where a `SentencePieceTokenizer` has its model from.

    >>> SPieceTokenizerLoadType.FILE.value
    0
    """

    FILE = 0
    MODEL = 1


@faces("dataset.text")
class SentencePieceVocab:
    """A model of subwords; made by `from_file` or `from_dataset`.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "corpus.txt")
    ...     _ = path.write_text("a cat\\na dog\\n")
    ...     vocab = SentencePieceVocab.from_file([str(path)], 12, 1.0, SentencePieceModel.CHAR, {})
    >>> SentencePieceTokenizer(vocab, SPieceTokenizerOutType.STRING)("a dog").tolist()
    ['▁', 'a', '▁', 'd', 'o', 'g']
    """

    def __init__(self) -> None:
        self.c_sentence_piece_vocab: bytes | None = None  # the model as its file holds it

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        col_names: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> "SentencePieceVocab":
        """Trains a model on columns of a dataset.

        Args:
            dataset: the dataset.
            col_names: the columns of strings; [] takes all.
            vocab_size: the number of subwords.
            character_coverage: the share of characters that the model covers, in [0.98, 1].
            model_type: how subwords are found.
            params: further options of SentencePiece's trainer, by name.

        Returns:
            The model.

        Raises:
            TypeError: for an argument of another type.
            ValueError: if the size is negative.
            RuntimeError: if the column does not exist, or SentencePiece cannot train with these arguments.
            ImportError: if the package `sentencepiece` is not installed.
        """
        api = "SentencePieceVocab.from_dataset"
        for k, name in enumerate(check_type(api, "col_names", col_names, list)):
            check_type(api, f"col_names[{k}]", name, str)
        columns = dataset.get_col_names()
        places = positions(api, "col_names", col_names, columns) if col_names else range(len(columns))

        def sentences() -> Iterator[str]:
            for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True):
                for place in places:
                    yield from need_strings(api, row[place]).reshape(-1).tolist()

        return cls._train(api, vocab_size, character_coverage, model_type, params, sentence_iterator=sentences())

    @classmethod
    def from_file(
        cls,
        file_path: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> "SentencePieceVocab":
        """Trains a model on files of text, a sentence a line. See `from_dataset` for the other arguments and errors.

        Args:
            file_path: a list of files.
            vocab_size: the number of subwords.
            character_coverage: the share of characters that the model covers, in [0.98, 1].
            model_type: how subwords are found.
            params: further options of SentencePiece's trainer, by name.

        Returns:
            The model.
        """
        api = "SentencePieceVocab.from_file"
        for k, path in enumerate(check_type(api, "file_path", file_path, list)):
            check_type(api, f"file_path[{k}]", path, str)
        if not file_path:
            raise IndexError(f"For '{api}', the 'file_path' must name files, but got [].")
        return cls._train(api, vocab_size, character_coverage, model_type, params, input=file_path)

    @classmethod
    def _train(
        cls, api: str, size: int, coverage: float, model_type: Any, params: dict[str, str], **source: Any
    ) -> "SentencePieceVocab":
        check_int_range(api, "vocab_size", size, 0, 2**32 - 1, "[]")
        if type(coverage) is not float:
            raise type_error(api, "character_coverage", "float", coverage)
        kind = check_type(api, "model_type", model_type, SentencePieceModel).name.lower()
        made = io.BytesIO()
        options = {"model_writer": made, "model_type": kind, "minloglevel": 2, **source}
        options |= {"vocab_size": size, "character_coverage": coverage} | check_type(api, "params", params, dict)
        try:
            _package(cls.__name__).SentencePieceTrainer.train(**options)
        except (RuntimeError, OSError) as error:
            raise RuntimeError(f"For '{api}', SentencePiece cannot train: {error}") from error
        vocab = cls()
        vocab.c_sentence_piece_vocab = made.getvalue()
        return vocab

    @classmethod
    def save_model(cls, vocab: "SentencePieceVocab", path: str, filename: str) -> None:
        """Writes a model into a file, which SentencePiece itself reads, too.

        Args:
            vocab: the model.
            path: the folder.
            filename: the name.

        Raises:
            TypeError: for an argument of another type.
            RuntimeError: if the folder does not exist, or the model is empty.
        """
        api = "SentencePieceVocab.save_model"
        check_type(api, "vocab", vocab, SentencePieceVocab)
        check_type(api, "path", path, str)
        check_type(api, "filename", filename, str)
        if not os.path.isdir(path):
            raise RuntimeError(f"For '{api}', the 'path' must be a folder that exists, but got {path!r}.")
        with open(os.path.join(path, filename), "wb") as file:
            file.write(_model(api, vocab))


def _model(api: str, vocab: SentencePieceVocab) -> bytes:
    if vocab.c_sentence_piece_vocab is None:
        raise RuntimeError(f"For '{api}', the model is empty; make it by 'from_file' or 'from_dataset'.")
    return vocab.c_sentence_piece_vocab


@faces("dataset.text")
class SentencePieceTokenizer(Transform):
    """Splits a string into subwords: a vector of str, or of their numbers as int32.

    Args:
        mode: a `SentencePieceVocab`, or the path of a model's file.
        out_type: whether subwords or their numbers are returned.

    Raises:
        TypeError: for an argument of another type.
        RuntimeError: when called, if the file is missing or is not a model.
        ImportError: when called, if the package `sentencepiece` is not installed.
    """

    def __init__(self, mode: Any, out_type: SPieceTokenizerOutType) -> None:
        api = "SentencePieceTokenizer"
        self.mode = check_type(api, "mode", mode, (str, SentencePieceVocab))
        self.out_type = check_type(api, "out_type", out_type, SPieceTokenizerOutType)
        self._processor: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_processor": None}  # which is made again where it is needed

    def _load(self) -> Any:
        if self._processor is None:
            api = type(self).__name__
            processor = _package(api).SentencePieceProcessor()
            try:
                if isinstance(self.mode, str):
                    processor.Load(model_file=self.mode)
                else:
                    processor.Load(model_proto=_model(api, self.mode))
            except (RuntimeError, OSError) as error:
                raise RuntimeError(f"For '{api}', the model cannot be read: {error}") from error
            self._processor = processor
        return self._processor

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if need_strings(type(self).__name__, array).ndim:
            raise RuntimeError(
                f"For 'SentencePieceTokenizer', the input must be one string, but got shape {array.shape}."
            )
        numbers = self.out_type is SPieceTokenizerOutType.INT
        found = self._load().encode(array.item(), out_type=int if numbers else str)
        return np.array(found, np.int32 if numbers else np.str_)
