"""Boxes of object detection."""
