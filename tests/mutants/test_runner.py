"""The runner of `make mutants`, on a toy package: what counts as killed, as survived and as a
mistake, and workers that die."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.mutants import __main__ as mutants

pytestmark = pytest.mark.thorough("the tools that are run by hand")

RUN = textwrap.dedent("""
    import sys
    from pathlib import Path
    from tests.mutants import __main__ as mutants

    mutants.ROOT, mutants.SLOW_TO_IMPORT = Path(sys.argv[1]), ()
    mutants.COPIED = ("graphzsl", "tests", "README.md")
    mutants.os.cpu_count = lambda: 2
    if __name__ == "__main__":
        sys.exit(mutants.main([]))
    """)
LIST = """
tests = ["tests/test_toy.py"]

[[mutant]]
file = "graphzsl/toy.py"
why = "doubles a number three times"
find = "2 * number"
replace = "3 * number"

[[mutant]]
file = "graphzsl/toy.py"
why = "another name for nothing"
find = "UNUSED = 0"
replace = "UNUSED = 1"
"""
MISTAKE = """
[[mutant]]
file = "graphzsl/toy.py"
why = "cannot be imported"
find = "import os"
replace = "import no_such_module"
"""
DEADLY = """
[[mutant]]
file = "graphzsl/toy.py"
why = "kills its worker"
find = "return 2 * number"
replace = "os.kill(os.getppid(), 9)"
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A checkout of a package with one function and one test."""
    root = tmp_path / "checkout"
    for folder in ("graphzsl", "tests", "tests/mutants"):
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "__init__.py").touch()
    (root / "README.md").write_text("A toy.\n")
    (root / "graphzsl" / "toy.py").write_text(
        "import os\n\nUNUSED = 0\n\n\ndef double(number):\n    return 2 * number\n"
    )
    (root / "tests" / "conftest.py").write_text(
        "from hypothesis import settings\n\nsettings.register_profile('mutants')\n"
    )
    (root / "tests" / "test_toy.py").write_text(
        "from graphzsl.toy import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
    )
    return root


def _run(toy: Path, listed: str) -> tuple[int, list[str], str]:
    (toy / "tests" / "mutants" / "toy.toml").write_text(listed)
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(toy)], capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


def test_mutants_are_killed_or_survive_or_are_mistakes(toy: Path) -> None:
    status, said, error = _run(toy, LIST + MISTAKE)
    assert status == 3
    verdicts = {
        line.partition("toy.py: ")[2]: line.split()[1] for line in said if line.startswith("[")
    }
    assert verdicts == {
        "doubles a number three times": "killed",
        "another name for nothing": "SURVIVED",
        "cannot be imported": "MISTAKE",
    }
    assert "No module named 'no_such_module'" in error
    assert said[-3:] == [
        "SURVIVED  toy: graphzsl/toy.py: another name for nothing",
        "MISTAKE  toy: graphzsl/toy.py: cannot be imported",
        "3 mutants, 1 survived, 1 could not be tried.",
    ]


def test_a_worker_that_dies_ends_the_run(toy: Path) -> None:
    status, said, error = _run(toy, LIST + DEADLY)
    assert status == 3
    assert error.splitlines()[-1].startswith(
        "A worker ended with status -9 before it gave a verdict"
    )
    assert re.fullmatch(
        r"3 mutants, [01] survived, 0 could not be tried, [123] not tried\.", said[-1]
    )


def test_a_process_that_cannot_start_pytest_is_no_kill(tmp_path: Path) -> None:
    (tmp_path / "output").write_text("what another mutant left")
    status, text = mutants._pytest(tmp_path / "not there", ("tests",))
    assert status == mutants.UNABLE
    assert "FileNotFoundError" in text
    assert "another mutant" not in text


@pytest.mark.parametrize(
    "path", sorted(mutants.ROOT.glob("tests/mutants/*.toml")), ids=lambda path: path.stem
)
def test_the_shipped_lists_fit_the_package(path: Path) -> None:
    """Every text stands once in its file, and every test that must notice it is there."""
    for mutant in mutants.read(path):
        for test in mutant.tests:
            file, _, name = test.partition("::")
            name = re.sub(r"\[.*", "", name.split("::")[-1])
            assert f"def {name}" in (mutants.ROOT / file).read_text(), f"{mutant}: {test}"
