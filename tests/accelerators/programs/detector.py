"""A one-stage detector's loss: focal classification, smooth boxes, assignment by overlap, and the boxes kept.

Usage: detector.py [float32|bfloat16]
"""

import sys

import numpy as np

import mindspore as ms
from mindspore import nn, ops

ANCHORS, CLASSES = 4096, 20


class Head(nn.Cell):
    def __init__(self):
        super().__init__()
        self.backbone = nn.SequentialCell(
            nn.Conv2d(3, 32, 3, stride=4), nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 64, 3, stride=2), nn.ReLU()
        )
        self.scores = nn.Conv2d(64, CLASSES, 3)
        self.boxes = nn.Conv2d(64, 4, 3)

    def construct(self, images):
        x = self.backbone(images)
        n = images.shape[0]
        scores = self.scores(x).transpose(0, 2, 3, 1).reshape(n, -1, CLASSES)
        boxes = self.boxes(x).transpose(0, 2, 3, 1).reshape(n, -1, 4)
        return scores.astype(ms.float32), boxes.astype(ms.float32)


class DetectionLoss(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        side = np.arange(64, dtype=np.float32) * 8
        x, y = np.meshgrid(side, side)
        self.anchors = ms.Tensor(np.stack([x, y, x + 16, y + 16], -1).reshape(ANCHORS, 4))
        self.iou = ops.IOU()
        self.smooth = nn.SmoothL1Loss(reduction="none")

    def construct(self, images, truth, labels):
        scores, boxes = self.net(images)
        total = ops.zeros((), ms.float32)
        for i in range(images.shape[0]):
            overlap = self.iou(self.anchors, truth[i])
            best = overlap.max(axis=0)
            place = overlap.argmax(axis=0)
            positive = (best > 0.5).astype(ms.float32)
            target = ops.one_hot(labels[i][place], CLASSES, ms.Tensor(1.0), ms.Tensor(0.0)) * positive.expand_dims(1)
            p = ops.sigmoid(scores[i])
            focal = (
                ops.binary_cross_entropy_with_logits(
                    scores[i], target, ops.ones_like(target), ops.ones_like(target), reduction="none"
                )
                * ops.abs(target - p) ** 2
            )
            boxed = self.smooth(boxes[i], truth[i][place] - self.anchors).sum(1) * positive
            _, kept = ops.topk(best, 100)
            total = total + (focal.sum() + boxed.sum()) / (positive.sum() + 1) + 0 * kept.sum()
        return total


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Head()
    if "bfloat16" in sys.argv:
        net.to_float(ms.bfloat16)
    step = nn.TrainOneStepCell(DetectionLoss(net), nn.Momentum(net.trainable_params(), 0.01, 0.9))
    truth = np.random.rand(2, 8, 4).astype(np.float32).cumsum(-1) * 100
    images = np.zeros((2, 3, 512, 512), np.float32)
    print(step(ms.Tensor(images), ms.Tensor(truth), ms.Tensor(np.zeros((2, 8), np.int32))))
