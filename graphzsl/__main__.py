"""``python -m graphzsl``, and the function of the command ``graphzsl``."""

import sys


def start() -> None:
    """The command line; Ctrl-C in the first tenths of a second, while its modules are imported, is
    one line too."""
    try:
        from graphzsl.cli import main
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(130)
    main(prog_name="graphzsl")


if __name__ == "__main__":
    start()
