"""Cases: public collections whose layouts `../dataset_pictures.py` and `../dataset_corpora.py` make.

All collections are asked the same; `PICTURES` and the other tables hold what differs.
"""

# ruff: noqa: E501 - one case a line

CHOICES = (
    "num_samples=2, shuffle=False",
    "num_shards=2, shard_id=0, shuffle=False",
    "num_shards=2, shard_id=1, shuffle=False",
)
SAMPLERS = ("sampler=ds.SequentialSampler(1, 2)", "sampler=ds.SubsetSampler([1, 0])")
REFUSED = (
    "num_samples=-1", "num_samples='a'", "num_shards=2", "num_shards=2, shard_id=2", "shuffle='a'",
    "num_parallel_workers=0",
)  # fmt: skip
NO_SAMPLER = ("sampler=ds.SequentialSampler(), shuffle=True",)


def asked(table, samplers=True):
    """The expressions of a table.

    Each block begins with the class and its positional arguments. Lines with a bracket are expressions, in which "DS"
    is the class and "AT" its first argument; others are arguments of which the rows are read.
    """
    found = []
    for block in table.strip().split("\n\n"):
        first, *lines = block.splitlines()
        name, _, place = first.partition(" ")
        made, chosen = f"ds.{name}({place}", None
        for line in lines:
            if "DS" in line:
                found.append(line.replace("DS", f"ds.{name}").replace("AT", place))
                continue
            more = "" if line == "-" else f", {line}"
            chosen = more if chosen is None else chosen
            found.append(f"brief({made}{more}, shuffle=False))")
        for question in ("get_dataset_size()", "get_col_names()", "num_classes()", "get_class_indexing().__len__()"):
            found.append(f"{made}{chosen}).{question}")
        found.append(f"{made}{chosen}, num_shards=2, shard_id=1).get_dataset_size()")
        found.append(f"len(lists({made}{chosen})))")
        found += [f"brief({made}{chosen}, {more}))" for more in CHOICES + SAMPLERS * samplers]
        found += [f"{made}{chosen}, {more})" for more in REFUSED + NO_SAMPLER * samplers]
    return "\n".join(found)


PICTURES = asked(r"""
Caltech101Dataset archive('caltech101')
-
'all'
'annotation'
None, decode=True
DS(AT, 'x')
DS(AT, 3)
DS(AT, decode=3)
DS(archive('voc'))
DS('/nothing')
DS(3)
list(DS(AT).get_class_indexing().items())[::10]

DIV2KDataset archive('div2k')
-
'all', 'unknown', 3, decode=True
'valid', 'mild', 4
'valid', 'wild', 4
'train', 'difficult', 4
'all', 'bicubic', 8
'valid', 'bicubic', 3
lists(DS(AT, 'all', 'bicubic', 4))
lists(DS(archive('voc')))
DS(AT, 'train', 'mild', 2)
DS(AT, 'train', 'unknown', 8)
DS(AT, 'train', 'unknown', 5)
DS(AT, 'train', 'mild', True)
DS(AT, 'train', 'x')
DS(AT, 'train', None)
DS(AT, None)
DS(AT, 'x')

FlickrDataset archive('flickr') + '/images', archive('flickr') + '/good.token'
-
decode=True
brief(DS(archive('flickr') + '/images', archive('flickr') + '/four.token', shuffle=False))
brief(DS(archive('flickr') + '/images', archive('flickr') + '/six.token', shuffle=False))
brief(DS(archive('flickr') + '/images', archive('flickr') + '/odd.token', shuffle=False))
lists(DS(archive('flickr') + '/images', archive('flickr') + '/orphan.token'))
DS(archive('flickr'), archive('flickr') + '/x')
DS(archive('flickr'), 3)

Flowers102Dataset archive('flowers102')
-
'Segmentation'
'Segmentation', 'train', decode=True
None, 'valid'
None, 'test'
DS(AT, 'x')
DS(AT, None, 'x')
DS(AT, 3)
DS(archive('voc'))
list(DS(AT).get_class_indexing().items())[::10]

Food101Dataset archive('food101')
-
'train', decode=True
'test'
DS(AT, 'x')
DS(AT, 3)
DS(AT, decode=3)
DS('/nothing')
DS(3)
lists(DS(archive('voc')))
lists(DS(AT, sampler=ds.PKSampler(1)))

KITTIDataset archive('kitti')
-
'test'
'train', decode=True
rows(DS(AT, shuffle=False).project(['label', 'truncated', 'occluded', 'alpha', 'bbox', 'dimensions', 'location', 'rotation_y']))
DS(AT, 'all')
DS(AT, 'test').get_col_names()
lists(DS(archive('voc')))

LFWDataset archive('lfw')
-
'people', '10fold'
'people', 'train'
'people', 'test', 'original', decode=True
'pairs'
'pairs', '10fold'
'pairs', 'train', 'deepfunneled'
'pairs', 'test'
DS(AT, 'x')
DS(AT, None, 'x')
DS(AT, None, None, 'x')
DS(AT, 3)
lists(DS(archive('voc')))

LSUNDataset archive('lsun')
-
'train'
'valid'
'test'
'train', ['bridge', 'bedroom'], decode=True
'all', ['bridge']
'test', ['bridge']
'train', ['kitchen', 'bridge']
DS(AT, 'test').num_classes()
DS(AT, 'valid').num_classes()
DS(AT, 'all', ['bridge']).num_classes()
lists(DS(AT, 'train', ['kitchen']))
DS(AT, 'train', 'bridge')
DS(AT, 'train', ['x'])
DS(AT, 'train', [3])
DS(AT, 'x')
lists(DS(archive('voc')))
lists(DS(AT, sampler=ds.PKSampler(1)).project('label'))

OmniglotDataset archive('omniglot')
-
False, decode=True
None
DS(AT, 3)
lists(DS(archive('voc')))
lists(DS(AT, sampler=ds.PKSampler(1)).project('label'))

PhotoTourDataset archive('phototour'), 'liberty'
'test'
brief(DS(AT, sampler=ds.SubsetSampler([0, 1, 16, 17, 255, 256, 258])))
brief(DS(archive('phototour'), 'yosemite_harris', None, 2, shuffle=False))
DS(AT).get_dataset_size()
DS(AT).get_col_names()
lists(DS(archive('phototour'), 'yosemite'))
DS(archive('phototour'), 'x')
DS(archive('phototour'), 3)
DS(archive('phototour'))
DS(AT, 'x')

Places365Dataset archive('places365')
-
'train-challenge', False, True
'val'
'val', False
None, True
DS(AT, 'train')
DS(AT, small=3)
lists(DS(archive('voc')))
lists(DS(AT, sampler=ds.PKSampler(1)).project('label'))

RenderedSST2Dataset archive('renderedsst2')
-
'val', decode=True
'test'
'train'
DS(AT, 'valid')
lists(DS(archive('voc')))
lists(DS(AT, 'train', sampler=ds.PKSampler(1)).project('label'))

SBDataset archive('sbd')
-
'Segmentation'
'Segmentation', 'train_noval', decode=True
usage='val', decode=True
rows(DS(AT, 'Segmentation', shuffle=False).project('task'))
DS(AT, 'x')
DS(AT, 'Boundaries', 'x')
DS(AT, 3)
DS(AT, 'Boundaries', None)
DS(archive('voc'))

SBUDataset archive('sbu')
-
decode=True
DS(archive('voc'))

SUN397Dataset archive('sun397')
-
decode=True
lists(DS(archive('voc')))
lists(DS(AT, sampler=ds.PKSampler(1)).project('label'))

WIDERFaceDataset archive('widerface')
-
'train'
'valid', decode=True
'test'
rows(DS(AT, 'all', shuffle=False).project(['bbox', 'blur', 'expression', 'illumination', 'occlusion', 'pose', 'invalid']))
DS(AT, 'val')
DS(AT, 'test').get_col_names()
lists(DS(archive('voc'), 'valid'))
""")

CORPORA = (
    asked(
        r"""
CoNLL2000Dataset archive('tagged')
'train'
'test'
brief(DS(AT + '/open', 'train', shuffle=False))
brief(DS(AT + '/long', 'train', shuffle=False))
brief(DS(AT + '/many', 'train', shuffle=False))
sorted(str(row) for row in lists(DS(AT, shuffle=False)))
DS(AT, 'valid')
DS(AT, 3)
DS('/nothing')
lists(DS(archive('voc')))

UDPOSDataset archive('tagged')
'train'
'valid'
'test'
brief(DS(AT + '/open', 'train', shuffle=False))
sorted(str(row) for row in lists(DS(AT, shuffle=False)))
DS(AT, 'dev')
DS(AT, 3)
lists(DS(archive('voc')))

IWSLT2016Dataset archive('iwslt2016')
'train'
'valid'
'test'
'valid', ['en', 'fr'], 'dev2010'
'test', ('de', 'en'), None, 'tst2010'
sorted(str(row) for row in lists(DS(AT, shuffle=False)))
DS(AT, 'dev')
DS(AT, 'train', ['de', 'fr'])
DS(AT, 'train', ['de'])
DS(AT, 'train', 'de')
DS(AT, 'train', ['de', 3])
DS(AT, 'valid', None, 'tst2020')
DS(AT, 'test', None, None, 'x')
DS(AT, 'test', None, None, 3)
lists(DS(AT, 'train', ['cs', 'en']))
lists(DS(AT, 'valid', None, 'tst2011'))

IWSLT2017Dataset archive('iwslt2017')
'train'
'valid'
'test'
'valid', ('it', 'nl')
sorted(str(row) for row in lists(DS(AT, shuffle=False)))
DS(AT, 'dev')
DS(AT, 'train', ['de', 'fr'])
DS(AT, 'train', 'de')
lists(DS(AT, 'train', ['ro', 'en']))

Multi30kDataset archive('multi30k')
'train'
'valid'
'test'
'train', ['de', 'en']
'train', ('de', 'en')
sorted(str(row) for row in lists(DS(AT, shuffle=False)))
DS(AT, 'dev')
DS(AT, 'train', ['de', 'fr'])
DS(AT, 'train', ['de'])
DS(AT, 'train', 'de')
DS(AT, 'train', ['de', 3])
DS(AT, 3)
lists(DS(archive('voc')))

SQuADDataset archive('squad') + '/one'
'train'
'dev'
brief(DS(archive('squad') + '/two', 'train', shuffle=False))
brief(DS(archive('squad') + '/two', 'dev', shuffle=False))
rows(DS(AT, 'dev', shuffle=False))
sorted(str(row) for row in lists(DS(AT, shuffle=False)))
lists(DS(archive('squad') + '/bad', 'train'))
lists(DS(archive('squad') + '/lacking', 'train'))
lists(DS(archive('squad') + '/odd', 'train'))
DS(AT, 'test')
DS(AT, 3)
lists(DS(archive('voc')))
""",
        samplers=False,
    )
    + "\n"
    + asked(r"""
CMUArcticDataset archive('arctic')
-
'slt'
rows(DS(AT, shuffle=False).take(1))
DS(AT, 'x')
DS(AT, 3)
lists(DS(AT, 'bdl'))
DS('/nothing')

GTZANDataset archive('gtzan')
-
'train'
'valid'
'test'
rows(DS(AT, shuffle=False).take(1))
DS(AT, 'x')
DS(AT, 3)
lists(DS(archive('voc')))

LibriTTSDataset archive('libritts')
-
'dev-clean'
'train-clean-100'
'test-other'
rows(DS(AT, 'dev-clean', shuffle=False).take(1))
lists(DS(AT, 'dev-other'))
DS(AT, 'x')
DS(AT, 3)
lists(DS(archive('voc')))

TedliumDataset archive('tedlium') + '/one', 'release1'
-
'train'
'dev', '.sph'
'test'
rows(DS(AT, 'dev', shuffle=False))
rows(DS(archive('tedlium') + '/three', 'release3', shuffle=False))
rows(DS(archive('tedlium') + '/little', 'release2', 'dev', shuffle=False))
brief(DS(archive('tedlium') + '/one', 'release2', shuffle=False))
DS(archive('tedlium') + '/three', 'release3', 'train')
DS(archive('tedlium') + '/one', 'release4')
DS(archive('tedlium') + '/one', 3)
DS(archive('tedlium') + '/one')
DS(AT, 'x')
DS(AT, None, '.wav')
DS(AT, None, 3)
lists(DS(archive('voc'), 'release1'))
""")
)
