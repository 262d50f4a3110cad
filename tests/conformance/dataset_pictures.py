"""Tiny datasets in the layouts of public collections of pictures: functions that return {file name: bytes}.

`dataset_archives.FILES` holds them under their names.
"""

import numpy as np

from tests.conformance.dataset_encoded import bmp, jpeg, mat, png, values


def picture(k, kind=jpeg):
    """The k-th of many different pictures: 2 x 3 and more."""
    return kind(values(2 + k % 3, 3 + k % 2, 3) // (1 + k))


def caltech101():
    """Caltech 101: a folder for each class, one of which MATLAB's contours call otherwise."""
    files = {}
    for k, (kind, outline, count) in enumerate(
        (("ant", "ant", 2), ("Faces", "Faces_2", 1), ("BACKGROUND_Google", "", 1), ("zebra", "zebra", 1))
    ):
        for n in range(1, count + 1):
            files[f"101_ObjectCategories/{kind}/image_{n:04}.jpg"] = picture(3 * k + n)
            if outline:
                contour = np.arange(4.0 + 2 * n).reshape(2, -1) + k
                files[f"Annotations/{outline}/annotation_{n:04}.mat"] = mat(obj_contour=contour)
    return files


def div2k():
    """DIV2K: each picture large, and small in several ways."""
    files, k = {}, 0
    for part, count in (("train", 2), ("valid", 1)):
        for n in range(1, count + 1):
            small = {f"LR_{way}/X{size}": f"x{size}" for way in ("bicubic", "unknown") for size in (2, 3)}
            small |= {f"LR_{way}": f"x4{way[0]}" for way in ("mild", "difficult", "wild")} | {"LR_x8": "x8", "HR": ""}
            for folder, ending in small.items():
                k += 1
                files[f"DIV2K_{part}_{folder}/{n:04}{ending}.png"] = picture(k, png)
    return files


def flickr():
    """Flickr8k: five sentences for each picture."""
    names = ("b.jpg", "a.jpg", "c.jpg")
    lines = [f"{name}#{n}\t{name[0]} sentence {n} ." for name in names for n in range(5)]
    return {f"images/{name}": picture(k) for k, name in enumerate(names)} | {
        "good.token": ("\n".join(lines) + "\n").encode(),
        "four.token": ("\n".join(lines[:4]) + "\n").encode(),
        "six.token": ("\n".join(lines[:5] + ["b.jpg#5\tb more"]) + "\n").encode(),
        "orphan.token": ("\n".join(f"x.jpg#{n}\tx" for n in range(5)) + "\n").encode(),
        "odd.token": b"b.jpg#0\tone\na.jpg#3\ta#b\tc\n\n",
        "bad.token": b"b.jpg\n",
    }


def flowers102():
    """Flowers 102: MATLAB's lists of labels and of parts."""
    files = {f"jpg/image_{k:05}.jpg": picture(k) for k in range(1, 6)}
    files |= {f"segmim/segmim_{k:05}.jpg": picture(k + 5) for k in range(1, 6)}
    files["imagelabels.mat"] = mat(labels=np.array([[3, 1, 2, 102, 7]], np.uint8))
    files["setid.mat"] = mat(
        trnid=np.array([[4, 2]], np.uint16), valid=np.array([[1]], np.uint16), tstid=np.array([[3, 5]], np.uint16)
    )
    return files


def food101():
    """Food-101: lists of pictures for training and for tests."""
    names = ("baby_back_ribs/7", "apple_pie/20", "apple_pie/3", "waffles/1")
    files = {f"images/{name}.jpg": picture(k) for k, name in enumerate(names)}
    files["meta/train.txt"] = "\n".join((names[0], names[2], names[1])).encode() + b"\n"
    files["meta/test.txt"] = names[3].encode() + b"\n"
    files["meta/classes.txt"] = b"apple_pie\nbaby_back_ribs\nwaffles\n"
    return files


def kitti():
    """KITTI: objects with their boxes in the picture and in space."""
    line = "{} {} {} {} 10.5 20 30.25 40 1.5 1.75 2 -1 2.5 8 {}"
    labels = {
        "000000": [line.format("Pedestrian", "0.00", 0, -0.2, 0.01)],
        "000001": [line.format("Truck", "0.50", 1, 1.5, -1.57), line.format("Car", "0.00", 2, 1.85, 1.57)],
        "000002": [line.format("DontCare", "-1", -1, -10, -10), line.format("Misc", "0.00", 3, 1, 2)],
    }
    files = {f"data_object_image_2/training/image_2/{name}.png": picture(k, png) for k, name in enumerate(labels)}
    files |= {
        f"data_object_image_2/testing/image_2/{name}.png": picture(k + 4, png)
        for k, name in enumerate(("000001", "000000"))
    }
    files |= {
        f"data_object_label_2/training/label_2/{name}.txt": ("\n".join(lines) + "\n").encode()
        for name, lines in labels.items()
    }
    return files


def lfw():
    """Labeled Faces in the Wild: lists of people and of pairs."""
    counts = {"Zoe_Z": 2, "Al_B": 3, "Cy_D": 1, "Ed_F": 2}
    files, k = {}, 0
    for folder in ("lfw", "lfw_funneled", "lfw-deepfunneled"):
        for name, count in counts.items():
            for n in range(1, count + 1):
                k += 1
                files[f"{folder}/{name}/{name}_{n:04}.jpg"] = picture(k)
    pairs = ["Al_B\t1\t3", "Zoe_Z\t1\t2"], ["Al_B\t2\tCy_D\t1", "Ed_F\t1\tZoe_Z\t2"]
    flat = "\n".join(pairs[0] + pairs[1])
    files |= {
        "lfw-names.txt": "".join(f"{name}\t{count}\n" for name, count in sorted(counts.items())).encode(),
        "people.txt": b"2\n2\nZoe_Z\t2\nAl_B\t3\n2\nCy_D\t1\nEd_F\t2\n",
        "peopleDevTrain.txt": b"2\nZoe_Z\t2\nAl_B\t3\n",
        "peopleDevTest.txt": b"2\nCy_D\t1\nEd_F\t2\n",
        "pairs.txt": f"1\t2\n{flat}\n".encode(),
        "pairsDevTrain.txt": f"2\n{flat}\n".encode(),
        "pairsDevTest.txt": b"1\nEd_F\t1\t2\nCy_D\t1\tAl_B\t1\n",
    }
    return files


def lsun():
    """LSUN: folders for each class and part."""
    files, k = {}, 0
    for folder, count in (
        ("test", 2),
        ("tower_train", 2),
        ("bedroom_train", 2),
        ("bedroom_val", 1),
        ("bridge_train", 1),
        ("bridge_val", 1),
    ):
        for n in range(count):
            k += 1
            files[f"{folder}/1_{count - n}.jpg"] = picture(k)
    return files


def omniglot():
    """Omniglot: characters of alphabets."""
    files, k = {}, 0
    for part, alphabets in (("images_background", ("Latin", "Greek")), ("images_evaluation", ("Tengwar",))):
        for alphabet in alphabets:
            for character in ("character02", "character01"):
                for n in (2, 1):
                    k += 1
                    files[f"{part}/{alphabet}/{character}/{k:04}_{n:02}.png"] = picture(k, png)
    return files


def phototour():
    """PhotoTour: patches in sheets, and pairs of patches."""
    files = {}
    for name in ("liberty", "yosemite_harris"):
        count = 256 + 3
        for sheet in range(2):
            place = np.arange(256).repeat(64 * 64).reshape(16, 16, 64, 64).transpose(0, 2, 1, 3).reshape(1024, 1024)
            area = (values(1024, 1024) // 2 + place // (1 + sheet)).astype(np.uint8)
            files[f"{name}/patches{sheet:04}.bmp"] = bmp(area)
        files[f"{name}/info.txt"] = "".join(f"{k // 2} 0\n" for k in range(count)).encode()
        pairs = ((0, 0, 1, 0), (3, 1, 258, 129), (257, 128, 256, 128))
        files[f"{name}/m50_100000_100000_0.txt"] = "".join(f"{a} {x} 0 {b} {y} 0 0\n" for a, x, b, y in pairs).encode()
    return files


def places365():
    """Places365: lists of pictures and labels, small and large."""
    files = {
        "categories_places365.txt": b"/a/airfield 0\n/a/cabin 1\n/z/zoo 364\n",
        "places365_val.txt": b"Places365_val_00000002.jpg 364\nPlaces365_val_00000001.jpg 1\n",
    }
    train = {
        "standard": {"/z/zoo/00000002.jpg": 364, "/a/airfield/00000001.jpg": 0, "/a/cabin/00000003.jpg": 1},
        "challenge": {"/a/cabin/00000009.jpg": 1, "/a/airfield/00000001.jpg": 0},
    }
    k = 0
    for kind, labels in train.items():
        files[f"places365_train_{kind}.txt"] = "".join(f"{name} {n}\n" for name, n in labels.items()).encode()
        files[f"places365_train-{kind}.txt"] = "".join(f"{name} {n}\n" for name, n in labels.items()).encode()
        for size in ("large", "256"):
            for name in labels:
                k += 1
                files[f"data_{size}_{kind}{name}"] = picture(k)
    for size in ("large", "256"):
        for n in (2, 1):
            k += 1
            files[f"val_{size}/Places365_val_0000000{n}.jpg"] = picture(k)
    return files


def renderedsst2():
    """Rendered SST-2: pictures of sentences, by part and mood."""
    files, k = {}, 0
    for part, count in (("train", 2), ("valid", 1), ("test", 1)):
        for mood in ("positive", "negative"):
            for n in range(count, 0, -1):
                k += 1
                files[f"{part}/{mood}/{n:04}.png"] = picture(k, png)
    return files


def sbd():
    """Semantic Boundaries: MATLAB's structs of sparse boundaries and of segmentations."""
    from scipy.sparse import csc_matrix

    names = ("2008_000009", "2008_000002", "2008_000003")
    files = {f"img/{name}.jpg": picture(k) for k, name in enumerate(names)}
    for k, name in enumerate(names):
        edges = np.empty((20, 1), object)
        for j in range(20):
            edges[j, 0] = csc_matrix(((values(3, 4) + j + k) % 3 == 0).astype(np.float64))
        held = {"Segmentation": (values(3, 4) + k) % 21, "Boundaries": edges}
        files[f"cls/{name}.mat"] = mat(GTcls=held)
    files["train.txt"] = "\n".join(names[:2]).encode() + b"\n"
    files["val.txt"] = names[2].encode() + b"\n"
    files["train_noval.txt"] = names[1].encode() + b"\n"
    return files


def sbu():
    """SBU Captioned Photo: addresses, whose ends name the files, and captions."""
    urls = [f"http://static.flickr.com/{n}/{m}_{x}.jpg" for n, m, x in ((9, 8, "aa"), (1, 2, "bb"), (5, 5, "cc"))]
    return {
        "SBU_captioned_photo_dataset_urls.txt": ("\n".join(urls) + "\n").encode(),
        "SBU_captioned_photo_dataset_captions.txt": b"One dog .\nTwo, three \nNot there\n",
        "sbu_images/m_9_8_aa.jpg": picture(1),
        "sbu_images/m_1_2_bb.jpg": picture(2),
        "sbu_images/9_8_aa.jpg": picture(3),
    }


def sun397():
    """SUN397: places, some of them in two."""
    names = ("/b/balcony/interior/sun_b", "/a/abbey/sun_z", "/a/abbey/sun_c", "/b/balcony/exterior/sun_a")
    return {f"{name[1:]}.jpg": picture(k) for k, name in enumerate(names)} | {
        "ClassName.txt": b"/a/abbey\n/b/balcony/exterior\n/b/balcony/interior\n"
    }


def widerface():
    """WIDER FACE: faces with their attributes."""
    head = "{}--{}/{}_{}_"
    parade, shake = head.format(0, "Parade", 0, "Parade"), head.format(1, "Handshaking", 1, "Handshaking")
    files = {f"WIDER_train/images/{shake}1_2.jpg": picture(1), f"WIDER_train/images/{parade}5_1.jpg": picture(2)}
    files |= {f"WIDER_val/images/{parade}1_1.jpg": picture(3), f"WIDER_val/images/{shake}3_1.jpg": picture(6)}
    files |= {f"WIDER_test/images/{shake}9_1.jpg": picture(4), f"WIDER_test/images/{parade}2_1.jpg": picture(5)}
    split = "wider_face_split/wider_face_{}"
    files[split.format("train_bbx_gt.txt")] = (
        f"{shake}1_2.jpg\n2\n1 2 3 4 0 1 0 2 1 0 \n5 6 7 8 2 0 1 0 0 1 \n{parade}5_1.jpg\n0\n0 0 0 0 0 0 0 0 0 0 \n"
    ).encode()
    files[split.format("val_bbx_gt.txt")] = f"{parade}1_1.jpg\n1\n9 8 7 6 1 1 1 1 1 1 \n".encode()  # one is left out
    files[split.format("test_filelist.txt")] = f"{shake}9_1.jpg\n{parade}2_1.jpg\n".encode()
    return files


PICTURES = {
    made.__name__: made
    for made in (
        caltech101, div2k, flickr, flowers102, food101, kitti, lfw, lsun, omniglot, phototour, places365, renderedsst2,
        sbd, sbu, sun397, widerface,
    )
}  # fmt: skip
