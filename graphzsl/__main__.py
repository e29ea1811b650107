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
    try:
        main(prog_name="graphzsl")
    except SystemExit as done:
        from graphzsl.cli.interruption import ENDED, GRACE, end_within

        if done.code in ENDED:
            end_within(GRACE, done.code)
        raise


if __name__ == "__main__":
    start()
