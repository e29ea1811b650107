"""`make fuzz`: valid files of every format that the package reads, damaged, and structures made up.

Every case must end in success or in an error of graphzsl's own, within 10 seconds and 2 GB, without
a write outside its folder; what is accepted must make sense. See ``__main__.py`` for the command,
``targets/`` for what is read, ``damage/`` for how files are changed.
"""
