"""Python imports this at its start where the folder is on PYTHONPATH: servers that it starts have
Cypher 25 as their language. ``tests/another_neo4j.py`` puts it there."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any


class _Changed(MetaPathFinder):
    """Finds the module that writes a server's configuration, and changes it when it is imported:
    most processes start no server, and import nothing for this."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "graphzsl.database.launch":
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_change(module: ModuleType) -> None:
                load(module)
                change(module)

            spec.loader.exec_module = load_and_change  # type: ignore[method-assign]
        return spec


def change(launch: Any) -> None:
    """Give the servers that ``launch`` configures Cypher 25 as their language, where they know
    it. A second time does nothing: processes of pytest-xdist change it at their start."""
    default = launch.configuration
    if hasattr(default, "is_changed"):
        return

    def configuration(settings: Any, *given: Any, **named: Any) -> str:
        text: str = default(settings, *given, **named)
        is_newer = launch.needed_java(settings.neo4j_home) > launch.OLDEST_JAVA
        return f"{text}db.query.default_language=CYPHER_25\n" if is_newer else text

    configuration.is_changed = True  # type: ignore[attr-defined]
    launch.configuration = configuration


sys.meta_path.insert(0, _Changed())
