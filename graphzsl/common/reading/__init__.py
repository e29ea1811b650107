"""One hardened reader per kind of file; no other module opens such files.

What a file says of itself is checked against the file before memory is taken for it: shapes,
declared sizes, depths, links into other files. Readers that are written in C, and trust the file,
run in a process of their own. Every error is a ``DataError`` (of a configuration: a
``SettingsError``) that names the file, and the key, line or row. Whoever reads a kind of file for
the first time adds its reader here; ``tests/common/reading/`` and ``make fuzz`` damage files of
each.
"""
