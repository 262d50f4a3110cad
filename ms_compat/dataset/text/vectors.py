"""Pre-trained word vectors: `Vectors`, `GloVe`, `FastText`, `CharNGram`, and `ToVectors`, which looks tokens up.

The files are lines of a token and its numbers; a first line of two words (a count and a dimension) is left out.
"""

import os
import re
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._support.arguments import INT32_MAX, check_bool, check_type
from ms_compat.dataset.text.strings import need_strings
from ms_compat.dataset.transforms.base import Transform


@faces("dataset.text")
class Vectors:
    r"""A table from tokens to vectors; made by `from_file`.

    >>> from ms_compat.dataset import text
    >>> with open("small.vec", "w") as file:
    ...     _ = file.write("cat 1.0 2.0\ndog 3.0 4.0\n")
    >>> vectors = text.Vectors.from_file("small.vec")
    >>> text.ToVectors(vectors)("dog").tolist()
    [3.0, 4.0]
    """

    _pattern = r".*"

    def __init__(self, table: dict[str, np.ndarray], dimension: int) -> None:
        self._table, self._dimension = table, dimension

    @classmethod
    def from_file(cls, file_path: str, max_vectors: int | None = None) -> "Vectors":
        """Reads a file of vectors.

        Args:
            file_path: the file; `GloVe` reads `glove.6B.*.txt`, `FastText` reads `*.vec`.
            max_vectors: the most vectors to read; None or 0 reads all.

        Raises:
            TypeError: for an argument of another type.
            ValueError: if `max_vectors` is negative.
            RuntimeError: if there is no such file, or it does not hold vectors of one size.
        """
        api = f"{cls.__name__}.from_file"
        check_type(api, "file_path", file_path, str)
        if not 0 <= (check_type(api, "max_vectors", max_vectors, (int, type(None))) or 0) <= INT32_MAX:
            raise value_error(api, "max_vectors", "int and >= 0", max_vectors)
        if not os.path.isfile(file_path) or not re.fullmatch(cls._pattern, os.path.basename(file_path)):
            raise RuntimeError(
                f"For '{api}', the 'file_path' must be a file whose name matches {cls._pattern!r}, but got "
                f"{file_path!r}."
            )
        table: dict[str, np.ndarray] = {}
        dimension = 0
        with reading(api, file_path), open(file_path, encoding="utf-8") as file:
            for number, line in enumerate(file):
                token, *numbers = line.rstrip().split(" ")
                if number == 0 and len(numbers) == 1:
                    continue
                dimension = dimension or len(numbers)
                try:
                    vector = np.array(numbers, np.float32)
                except ValueError as error:
                    raise RuntimeError(f"For '{api}', line {number + 1} of {file_path!r}: {error}.") from error
                if len(vector) != dimension or dimension < 2:
                    raise RuntimeError(
                        f"For '{api}', line {number + 1} of {file_path!r} must hold {max(dimension, 2)} numbers, but "
                        f"holds {len(vector)}."
                    )
                table.setdefault(token, vector)
                if len(table) == max_vectors:
                    break
        if not table:
            raise RuntimeError(f"For '{api}', the file {file_path!r} must hold vectors, but holds none.")
        return cls(table, dimension)

    def _find(self, token: str) -> np.ndarray | None:
        return self._table.get(token)


@faces("dataset.text")
class GloVe(Vectors):
    r"""GloVe's vectors (https://nlp.stanford.edu/projects/glove), from a file `glove.6B.*.txt`; see `Vectors`.

    >>> from ms_compat.dataset import text
    >>> with open("glove.6B.2d.txt", "w") as file:
    ...     _ = file.write("cat 1.0 2.0\ndog 3.0 4.0\n")
    >>> text.ToVectors(text.GloVe.from_file("glove.6B.2d.txt"))("cat").tolist()
    [1.0, 2.0]
    """

    _pattern = r"glove\.6B\..*\.txt"


@faces("dataset.text")
class FastText(Vectors):
    r"""FastText's vectors (https://fasttext.cc), from a file `*.vec`; see `Vectors`.

    >>> from ms_compat.dataset import text
    >>> with open("words.vec", "w") as file:
    ...     _ = file.write("2 2\ncat 1.0 2.0\ndog 3.0 4.0\n")
    >>> text.ToVectors(text.FastText.from_file("words.vec"))("cat").tolist()
    [1.0, 2.0]
    """

    _pattern = r".*\.vec"


@faces("dataset.text")
class CharNGram(Vectors):
    """Vectors of two to four characters (https://arxiv.org/abs/1611.01587); a token's is the mean of its own.

    The file names them "2gram-ab"; "#BEGIN#" and "#END#" stand for the edges of a token. See `Vectors`.
    """

    def _find(self, token: str) -> np.ndarray | None:
        characters = ["#BEGIN#", *token, "#END#"]
        found = [
            self._table[name]
            for size in (2, 3, 4)
            for k in range(len(characters) - size + 1)
            if (name := f"{size}gram-{''.join(characters[k : k + size])}") in self._table
        ]
        return np.mean(found, axis=0) if found else None


@faces("dataset.text")
class ToVectors(Transform):
    r"""Replaces tokens by their vectors: a string by a vector, several by the rows of a matrix.

    Args:
        vectors: a `Vectors`.
        unk_init: the vector of unknown tokens; None is zeros.
        lower_case_backup: whether a token that is unknown is looked up in lower case.

    Raises:
        TypeError: for an argument of another type.
        RuntimeError: when called with anything but strings, or if `unk_init` is of another size.

    >>> from ms_compat.dataset import text
    >>> with open("tiny.vec", "w") as file:
    ...     _ = file.write("cat 1.0 2.0\ndog 3.0 4.0\n")
    >>> text.ToVectors(text.Vectors.from_file("tiny.vec"))(["dog", "cow"]).tolist()
    [[3.0, 4.0], [0.0, 0.0]]
    """

    def __init__(self, vectors: Vectors, unk_init: Any = None, lower_case_backup: bool = False) -> None:
        api = "ToVectors"
        if not isinstance(vectors, Vectors):
            raise type_error(api, "vectors", "a Vectors", vectors)
        for k, value in enumerate(check_type(api, "unk_init", unk_init, (list, tuple, type(None))) or ()):
            check_type(api, f"unk_init[{k}]", value, (int, float))
        self.vectors, self.unk_init = vectors, unk_init
        self.lower_case_backup = check_bool(api, "lower_case_backup", lower_case_backup)

    def _vector(self, token: str, unknown: np.ndarray) -> np.ndarray:
        found = self.vectors._find(token)
        if found is None and self.lower_case_backup:
            found = self.vectors._find(token.lower())
        return unknown if found is None else found

    def _apply(self, array: np.ndarray) -> np.ndarray:
        need_strings("ToVectors", array)
        size = self.vectors._dimension
        unknown = np.array(self.unk_init, np.float32) if self.unk_init else np.zeros(size, np.float32)
        if len(unknown) != size:
            raise RuntimeError(f"For 'ToVectors', the 'unk_init' must have {size} numbers, but has {len(unknown)}.")
        made = np.stack([self._vector(token, unknown) for token in array.reshape(-1).tolist()]).astype(np.float32)
        return made if array.ndim else made[0]
