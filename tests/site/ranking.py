"""What the site's search has to know so that a name typed in full or in part finds its entry first.

Material's search (lunr) looks for words that *begin* with what was typed, adds for each such word of an entry how rare
it is, and multiplies by the entry's boost. Left alone, `Conv2d` finds `Conv2dTranspose`, which is rarer. Each entry
gets its spellings as tags, which are words that no separator divides, and a boost that rises with the number of
projects that use it, and above that of all entries whose spellings begin with its own.
"""

from __future__ import annotations

import bisect
import collections
import math
import re
from collections.abc import Mapping
from typing import Any

from ms_compat._names import api_index
from tests.site import names
from tests.site.names import Entry

TAGS, TITLE, TEXT = 30.0, 5.0, 1.0  # the weights of an entry's fields
PAGE = 2.5  # what the search multiplies the score of a page with, beside that of a section
MODULE = 12.0  # the boost of a module's page, above the names in it
GUIDE = 3.0  # the boost of the guide's pages, for questions in sentences
MARGIN = 1.3  # leaves room for what titles and texts add
END = "$"  # ends a tag, so that it is a word of no text: how often texts say "to" does not make `Tensor.to` less rare
# Blanks and punctuation, but not the dots and underscores within a name.
SEPARATOR = r"[\s,:;()\[\]{}=!?'\"`/<>|]+|\.(?=\s|$)"


class Index:
    """A model of lunr's index: enough of it to compute what the tags add to the score of a single word."""

    def __init__(self, documents: list[dict[str, Any]]) -> None:
        self.places: dict[str, list[str]] = collections.defaultdict(list)
        for document in documents:
            for tag in document.get("tags", ()):
                self.places[tag].append(document["location"])
        self.words = sorted(self.places)
        self.rarity = {
            word: math.log(1 + (len(documents) - len(found) + 0.5) / (len(found) + 0.5))
            for word, found in self.places.items()
        }

    def beginning(self, typed: str) -> list[str]:
        """The tags that begin with what was typed."""
        start = bisect.bisect_left(self.words, typed)
        return self.words[start : bisect.bisect_left(self.words, typed + chr(0x10FFFF), start)]

    def rarities(self, typed: str) -> dict[str, float]:
        """{location: the sum over its tags that begin so}."""
        out: dict[str, float] = collections.defaultdict(float)
        for word in self.beginning(typed):
            for location in self.places[word]:
                out[location] += self.rarity[word] * (1 if "#" in location else PAGE)
        return out


def boosts(index: Index, wanted: Mapping[str, str], natural: Mapping[str, float]) -> dict[str, float]:
    """The boost of each entry, at least its natural one, with which every spelling finds the entry that is wanted.

    Raises:
        ValueError: two entries begin with each other's spellings.
    """
    out = dict(natural)
    rarities = {typed: index.rarities(typed) for typed in sorted(wanted, key=len, reverse=True)}
    for _ in range(20):
        changed = ""
        for typed, found in rarities.items():
            right = wanted[typed]
            others = (out[location] * rarity for location, rarity in found.items() if location != right)
            needed = MARGIN * max(others, default=0) / found[right]
            if out[right] < needed * 0.9999:
                out[right] = needed
                changed = typed
        if not changed:
            return out
    raise ValueError(f"no boosts let every spelling find its entry first, such as {changed!r} {wanted[changed]}")


def rows() -> list[Entry]:
    """The names that only the coverage table has: absent ones, and operators such as `Tensor.__sub__`."""
    described = {f"{entry.module}.{name}" for entry in names.entries() for name in entry.names}
    described |= {name for entry in names.entries() for name in entry.others}
    return [
        Entry(module, (name,), "coverage.md", f"{module}.{name}")
        for module, found in api_index.coverage().items()
        for name in found
        if f"{module}.{name}" not in described and f"{module}.{name}" not in names.documented()
    ]


def modules() -> dict[str, list[str]]:
    """{location of a module's page: its spellings}, without those that are names in another module, such as `train`.

    Every spelling in full begins with `mindspore`, and that with `min`, so that page cannot come first.
    """
    return {
        names.page_of(module).removesuffix(".md") + ".html": [
            one for one in (module, module.removeprefix("mindspore.")) if one not in names.best()
        ]
        for module in names.documented()
        if not names.is_class(module) and module != "mindspore"
    }


def summary(text: str) -> str:
    """What a docstring says before its sections, without code.

    >>> summary("<pre><code>f(\\n    x)</code></pre> <p>The sum.</p> <p>Args</p> <ul> <li>x: a number</li> </ul>")
    '<p>The sum.</p>'
    """
    text = re.sub(r"<pre>.*?</pre>", "", text, flags=re.S)
    return re.split(r"<p>(?:Args|Arguments|Attributes|Inputs|Returns)</p>", text)[0].strip()


def rank(index: dict[str, Any]) -> None:
    """Give the entries of Material's `search_index.json` their tags and boosts, and add the table's other rows.

    A single letter, such as `t` for `Tensor.t`, need not find the name: everything that begins with it is as good.
    """
    documents = {document["location"]: document for document in index["docs"]}
    wanted = {spelling: entry.location for spelling, entry in names.best().items() if len(spelling) > 1}
    natural = {}
    for entry in [*names.entries(), *rows()]:
        status, reason = api_index.coverage().get(entry.module, {}).get(entry.names[0], ("", ""))
        document = documents.setdefault(
            entry.location, {"location": entry.location, "title": f"{entry.dotted} ({status})", "text": reason}
        )
        document["text"] = summary(document["text"])
        if entry.anchor and entry.page != "coverage.md":
            document["title"] = ", ".join(f"{entry.module}.{name}" for name in entry.names)
        document["tags"] = [spelling + END for spelling in names.spellings(entry)]
        for spelling in names.spellings(entry):
            if len(spelling) > 1:
                wanted.setdefault(spelling, entry.location)
        natural[entry.location] = 1 + math.log2(1 + names.used(entry))
    for location, spellings in modules().items():
        if location in documents:
            documents[location]["tags"] = [spelling + END for spelling in spellings]
            wanted.update((spelling, location) for spelling in spellings)
            natural[location] = MODULE
    for location, document in documents.items():
        if location.startswith("guide/"):
            document["boost"] = GUIDE
    index["docs"] = list(documents.values())
    for location, boost in boosts(Index(index["docs"]), wanted, natural).items():
        documents[location]["boost"] = round(boost, 4)
