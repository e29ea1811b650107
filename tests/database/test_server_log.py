"""What is read of the server's logs, in the words of both Neo4j's that are supported."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphzsl.database.server_log import ServerLog, last_lines

#: As Neo4j 5.26 and 2026.08 write it.
SAVED = [
    "{time} INFO  [o.n.k.i.t.l.c.CheckPointerImpl] [neo4j/b5c8a7f8] Checkpoint triggered by"
    ' "Database shutdown" @ txId: 3, append index: 3 checkpoint completed in 11ms.',
    '{{"time":"{time}","level":"INFO","category":"o.n.k.i.t.l.c.CheckPointerImpl","message":"'
    '[neo4j/b5c8a7f8] Checkpoint triggered by \\"Database shutdown\\" @ txId: 3, append index: 3'
    ' checkpoint completed in 11ms.","databaseName":"neo4j"}}',
]
DAMAGED = "Logging config in use\nError reading transaction logs, recovery not possible\n"


@pytest.mark.parametrize("saved", SAVED)
@pytest.mark.parametrize("database", ["neo4j", "system"])
def test_a_full_disk_counts_since_the_data_were_saved(
    tmp_path: Path, saved: str, database: str
) -> None:
    """A log that was damaged after the data of the database were saved is not cut: what it had
    acknowledged may be behind the damage."""
    log, mark = ServerLog(tmp_path), tmp_path / "disk-was-full"
    log.debug.parent.mkdir()
    line = saved.format(time="2026-11-25 09:53:55.206+0000").replace("neo4j/", f"{database}/")
    at = datetime(2026, 11, 25, 9, 53, 55, tzinfo=UTC).timestamp()
    log.debug.write_text(f"No space left on device\n{line}\n{DAMAGED}")
    # without a mark: the full disk was before
    assert log.was_cut_short() == (database == "system")
    log.debug.write_text(f"{line}\n{DAMAGED}")
    for seconds, is_cut in ((-60, database == "system"), (60, True)):
        mark.touch()
        os.utime(mark, (at + seconds, at + seconds))
        assert log.was_cut_short() == is_cut, seconds


def test_errors_are_said_before_other_lines() -> None:
    text = 'a 1\n{"time":"x","level":"ERROR","message":"bad"}\nb 2\n'
    assert last_lines(text, 1) == '{"time":"x","level":"ERROR","message":"bad"}'
    assert last_lines("x ERROR  worse\nb 2\n", 1) == "x ERROR  worse"
