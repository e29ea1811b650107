"""Boxes from files to scores: ILSVRC's localization and detection, and statistics of annotations.

``readers`` yield rows of any format; ``partitions`` puts the rows of one image together on disk, so
that memory does not grow with images; the tasks read one part after another.
"""
