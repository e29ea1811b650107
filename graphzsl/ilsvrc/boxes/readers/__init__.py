"""Readers of boxes: ImageNet's XML, COCO's JSON, tables."""
