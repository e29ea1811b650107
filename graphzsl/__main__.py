"""``python -m graphzsl``."""

import sys

try:
    from graphzsl.cli import main
except KeyboardInterrupt:  # Ctrl-C in the first tenths of a second
    sys.stderr.write("Stopped.\n")
    sys.exit(130)

main(prog_name="graphzsl")
