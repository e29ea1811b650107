"""``python -m graphzsl``."""

from graphzsl.cli import main

main(prog_name="graphzsl")
