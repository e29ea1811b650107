"""Readers of the formats that the field publishes in, one per file. Nothing from outside is ever
unpickled.

Each checks shapes, finiteness, class identity and label range, and fails with file, key and what
was expected.
"""
