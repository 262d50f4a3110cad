"""The order in which MindSpore's `Vocab.vocab()` lists tokens: the order of a libstdc++ hash table.

MindSpore keeps tokens in a `std::unordered_map<std::string, int>`, and scripts print or save what its iteration gives.
A new key goes before the others of its bucket, or, if the bucket is empty, before all.
"""

from collections.abc import Iterable, Iterator

_MASK = (1 << 64) - 1
_MULTIPLIER, _SEED = 0xC6A4A7935BD1E995, 0xC70F6907
# The numbers of buckets that libstdc++ chooses: for small requests by the requested number, then the next prime.
_SMALL = (2, 2, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13)
_PRIMES = (
    17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113, 127, 137, 139, 149, 157,
    167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661, 709,
    761, 823, 887, 953, 1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357, 2549, 2753, 2971, 3209,
    3469, 3739, 4027, 4349, 4703, 5087, 5503, 5953, 6427, 6949, 7517, 8123, 8783, 9497, 10273, 11113, 12011, 12983,
    14033, 15173, 16411, 17749, 19183, 20753, 22447, 24281, 26267, 28411, 30727, 33223, 35933, 38873, 42043, 45481,
    49201, 53201, 57557, 62233, 67307, 72817, 78779, 85229, 92203, 99733, 107897, 116731, 126271, 136607, 147793,
    159871, 172933, 187091, 202409, 218971, 236897, 256279, 277261, 299951, 324503, 351061,
)  # fmt: skip
_FIRST = 13  # buckets of a table made without a size
MOST = _PRIMES[-1]  # tokens whose order is known here


def _hash(text: str) -> int:
    """`std::hash` of the UTF-8 bytes (MurmurHash2 of 64 bits)."""
    data = text.encode()
    end = len(data) & ~7
    found = (_SEED ^ (len(data) * _MULTIPLIER)) & _MASK
    for at in range(0, end, 8):
        part = (int.from_bytes(data[at : at + 8], "little") * _MULTIPLIER) & _MASK
        part = ((part ^ (part >> 47)) * _MULTIPLIER) & _MASK
        found = ((found ^ part) * _MULTIPLIER) & _MASK
    if len(data) & 7:
        found = ((found ^ int.from_bytes(data[end:], "little")) * _MULTIPLIER) & _MASK
    found = ((found ^ (found >> 47)) * _MULTIPLIER) & _MASK
    return found ^ (found >> 47)


class _Table:
    """The table: a linked list of all keys, and for each bucket the key before its first, None for the list's head."""

    def __init__(self, buckets: int) -> None:
        self._count = buckets
        self._after: dict[str | None, str | None] = {None: None}
        self._before: dict[int, str | None] = {}
        self._hashes: dict[str, int] = {}

    def __iter__(self) -> Iterator[str]:
        key = self._after[None]
        while key is not None:
            yield key
            key = self._after[key]

    def insert(self, key: str) -> None:
        """Puts a new key into the table, which grows if it is full."""
        if len(self._hashes) == self._count:
            self._grow()
        self._hashes[key] = _hash(key)
        self._link(key)

    def _link(self, key: str) -> None:
        bucket = self._hashes[key] % self._count
        before = self._before.setdefault(bucket, None)
        following = self._after[before]
        if before is None and following is not None and self._hashes[following] % self._count != bucket:
            self._before[self._hashes[following] % self._count] = key  # its bucket began at the list's head
        self._after[key], self._after[before] = following, key

    def _grow(self) -> None:
        keys = list(self)
        self._count = buckets_of(max(self._count + 2, 2 * self._count))
        self._after, self._before = {None: None}, {}
        for key in keys:
            self._link(key)


def buckets_of(size: int) -> int:
    """The number of buckets in a table that was made with this request."""
    return _SMALL[size] if size < len(_SMALL) else next(prime for prime in _PRIMES if prime >= size)


def hash_order(words: Iterable[str], of_dict: bool = False) -> list[str]:
    """Words in the order of a table after inserting them one by one.

    Args:
        words: different from each other, at most `MOST`.
        of_dict: whether they came in a dict, which becomes a table of its own size before.

    >>> hash_order(["b", "a", "c"])
    ['c', 'a', 'b']
    """
    words = list(words)
    if of_dict and words:
        first = _Table(buckets_of(len(words)))
        for word in words:
            first.insert(word)
        words = list(first)
    table = _Table(_FIRST)
    for word in words:
        table.insert(word)
    return list(table)
