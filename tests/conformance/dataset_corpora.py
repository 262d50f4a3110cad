"""Tiny datasets in the layouts of public collections of texts and of speech: functions that return {file name: bytes}.

`dataset_archives.FILES` holds them under their names.
"""

import json

import numpy as np

from tests.conformance.dataset_encoded import wav


def tagged():
    """CoNLL-2000 and UDPOS: a word and its tags a line, an empty line after each sentence."""
    chunks = "Confidence NN B-NP\nin IN B-PP\n. . O\n\nHe PRP B-NP\nran VBD B-VP\n\n{} NNP B-NP\n\n"
    speech = "From\tADP\tIN\nthe\tDET\tDT\n\nAP\tPROPN\tNNP\n\n{}\tPROPN\tNNP\n{}\tNOUN\tNN\n\n"
    files = {f"{part}.txt": chunks.format(part.capitalize()).encode() for part in ("train", "test")}
    for part in ("train", "dev", "test"):
        files[f"en-ud-tag.v2.{part}.txt"] = speech.format(part, part.upper()).encode()
    files["open/train.txt"] = b"one A B\n\ntwo C D"
    files["long/train.txt"] = b"one A B C\n\n"
    files["many/train.txt"] = b"\n\none A B\n\n\ntwo C D\n\n"
    files["open/en-ud-tag.v2.train.txt"] = b"one\tA\tB\n\ntwo\tC\tD"
    return files


def _tags(language, count):
    """A file for training: texts between lines of tags."""
    lines = ["<doc>", f"<url>u {language}</url>", "<keywords>talks</keywords>", "<speaker>S</speaker>"]
    lines += ["<talkid>1</talkid>", "<title>T</title>", "<description>D</description>"]
    lines += [f" {language} train {k} & more " for k in range(count)]
    return "\n".join([*lines, "<reviewer></reviewer>", "<translator></translator>", "</doc>"]).encode() + b"\n"


def _xml(language, name, count, kind):
    """A file for validation or tests: XML with a segment a text."""
    made = "".join(f'<seg id="{k + 1}"> {language} {name} {k} &amp; so </seg>\n' for k in range(count))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<mteval>\n<{kind} setid="s" srclang="{language}">\n'
        f'<doc docid="1" genre="lectures">\n<url>u</url>\n<title>t</title>\n{made}</doc>\n</{kind}>\n</mteval>\n'
    ).encode()


def _iwslt(folder, year, pair, sets):
    first, second = pair
    files = {f"{folder}/train.tags.{first}-{second}.{language}": _tags(language, 3) for language in pair}
    for k, name in enumerate(sets):
        for language, kind in zip(pair, ("srcset", "refset"), strict=True):
            path = f"{folder}/IWSLT{year}.TED.{name}.{first}-{second}.{language}.xml"
            files[path] = _xml(language, name, 1 + k % 2, kind)
    return files


def iwslt2016():
    """IWSLT 2016: a folder for each pair of languages."""
    sets = ("dev2010", "tst2010", "tst2013", "tst2014")
    return _iwslt("texts/de/en/de-en", 16, ("de", "en"), sets) | _iwslt("texts/en/fr/en-fr", 16, ("en", "fr"), sets)


def iwslt2017():
    """IWSLT 2017: all pairs of languages in one folder."""
    sets = ("dev2010", "tst2010")
    folder = "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"
    return _iwslt(folder, 17, ("de", "en"), sets) | _iwslt(folder, 17, ("it", "nl"), sets)


def multi30k():
    """Multi30k: a file for each language and part."""
    files = {}
    for folder, name, count in (("training", "train", 3), ("validation", "val", 2), ("mmt16_task1_test", "test", 1)):
        for language in ("de", "en"):
            texts = [f" {language} {name} {k}. " for k in range(count)]
            files[f"{folder}/{name}.{language}"] = "\n".join(
                [texts[0], *([""] if count > 2 else []), *texts[1:]]
            ).encode()
    return files


def squad():
    """SQuAD 1.1, and 2.0 with a question that has no answer."""

    def answer(text, start):
        return {"text": text, "answer_start": start}

    def dump(*paragraphs):
        data = [{"title": "t", "paragraphs": list(paragraphs)}]
        return json.dumps({"data": data, "version": "1.1"}).encode()

    one = {"context": "The cat sat.", "qas": [{"id": "1", "question": "Who?", "answers": [answer("cat", 4)]}]}
    two = {
        "context": "A dog ran to Ulm.",
        "qas": [
            {"id": "2", "question": "Where?", "answers": [answer("Ulm", 13), answer("to Ulm", 10), answer("Ulm", 13)]},
            {"id": "3", "question": "What?", "answers": [answer("dog", 2)]},
        ],
    }
    none = {"context": "Nothing.", "qas": [{"id": "4", "question": "Why?", "answers": [], "is_impossible": True}]}
    return {
        "one/train-v1.1.json": dump(one, two),
        "one/dev-v1.1.json": dump(two),
        "two/train-v2.0.json": dump(one, none),
        "two/dev-v2.0.json": dump(none),
        "bad/train-v1.1.json": b"{",
        "lacking/train-v1.1.json": b'{"data": [{"paragraphs": [{"qas": []}]}]}',
        "odd/train-v1.1.json": b'{"version": 1}',
    }


def sound(k, rate=16000):
    """The k-th of many different sounds."""
    return wav([k, 100 * k, -7 * k][: 1 + k % 3], rate)


def arctic():
    """CMU Arctic: a folder for each speaker."""
    files = {}
    for name, numbers in (("aew", ("b0002", "a0001", "a0003")), ("slt", ("a0001",))):
        folder = f"cmu_us_{name}_arctic"
        for k, number in enumerate(numbers):
            files[f"{folder}/wav/arctic_{number}.wav"] = sound(1 + k)
        files[f"{folder}/etc/txt.done.data"] = "".join(
            f'( arctic_{number} "{name} said {number}, etc." )\n' for number in numbers
        ).encode()
    return files


def gtzan():
    """GTZAN: a folder for each genre, with files in each part of the published split.

    A genre has one file, because MindSpore reads the files of a folder in the order of the file system.
    """
    names = ("blues.00000", "classical.00030", "country.00030", "disco.00098", "jazz.00099", "rock.00000")
    return {f"{name.split('.')[0]}/{name}.wav": sound(1 + k, 22050) for k, name in enumerate(names)}


def libritts():
    """LibriTTS: parts, speakers and chapters."""
    files, k = {}, 0
    for part, speaker, chapter in (
        ("dev-clean", 84, 121123), ("train-clean-100", 19, 198), ("test-other", 7, 3),
    ):  # fmt: skip
        folder, stem, lines = f"{part}/{speaker}/{chapter}", f"{speaker}_{chapter}", []
        for number in (5, 2)[: 1 + k % 2]:
            k += 1
            name = f"{stem}_{number:06}_000000"
            files[f"{folder}/{name}.wav"] = sound(k, 24000)
            lines.append(f"{name}\tText {k}, here.\ttext {k} here\n")
        files[f"{folder}/{stem}.trans.tsv"] = "".join(lines).encode()
    return files


def sphere(samples, rate, order="10"):
    """A file of NIST's SPHERE format: a header of 1,024 bytes, then 16 bits a sample."""
    head = (
        f"NIST_1A\n   1024\nchannel_count -i 1\nsample_rate -i {rate}\nsample_n_bytes -i 2\n"
        f"sample_byte_format -s2 {order}\nsample_sig_bits -i 16\nsample_coding -s3 pcm\n"
        f"sample_count -i {len(samples)}\nend_head\n"
    )
    return head.encode().ljust(1024) + np.array(samples, ">i2" if order == "10" else "<i2").tobytes()


def tedlium():
    """TED-LIUM: talks, and the times of their sentences."""
    files = {}
    for root in ("one/dev", "one/test", "one/train", "three/data"):
        for k, talk in enumerate(("Zoe_2010", "Al_2009")):
            files[f"{root}/sph/{talk}.sph"] = sphere([100 * k + j - 20 for j in range(40)], 10)
            files[f"{root}/stm/{talk}.stm"] = (
                f"{talk} 1 {talk} 0.5 1.2 <o,f0,male> {root} the first sentence\n"
                f"{talk} 1 {talk} 1.20 3.9 <o,f0,male> {root} ignore_time_segment_in_scoring\n"
                f"{talk} 1 {talk}_b 2 3 <NA> and {root} (2) more \n"
            ).encode()
    files["little/dev/sph/A.sph"] = sphere(range(40), 10, "01")
    files["little/dev/stm/A.stm"] = b"A 1 B 0 2 <o,f0,male> text\n"
    return files


CORPORA = {
    made.__name__: made for made in (tagged, iwslt2016, iwslt2017, multi30k, squad, arctic, gtzan, libritts, tedlium)
}
