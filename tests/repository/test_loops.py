"""No loop builds the same set or dictionary again for every element: it made minutes of seconds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import graphzsl

_BUILDERS = {"set", "frozenset", "dict", "sorted", "list"}
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _repeated(tree: ast.AST) -> Iterator[int]:
    """Lines of calls inside a comprehension's elements or conditions that use none of its own
    variables."""
    for node in ast.walk(tree):
        if not isinstance(node, _COMPREHENSIONS):
            continue
        own = {
            name.id
            for each in node.generators
            for name in ast.walk(each.target)
            if isinstance(name, ast.Name)
        }
        inner = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        inner += [condition for each in node.generators for condition in each.ifs]
        inner += [each.iter for each in node.generators[1:]]
        for part in inner:
            for call in ast.walk(part):
                built = (
                    isinstance(call, ast.Call)
                    and isinstance(call.func, ast.Name)
                    and call.func.id in _BUILDERS
                )
                unpacked = isinstance(call, ast.Set) and any(
                    isinstance(each, ast.Starred) for each in call.elts
                )
                used = {
                    name.id for name in ast.walk(call) if isinstance(name, ast.Name)
                } - _BUILDERS
                if (built or unpacked) and used and not used & own:
                    yield call.lineno


def _repeated_in_statements(tree: ast.AST) -> Iterator[int]:
    """The same for the bodies of loops, but for messages of errors."""
    for loop in ast.walk(tree):
        if not isinstance(loop, ast.For | ast.While):
            continue
        body = [part for statement in loop.body for part in ast.walk(statement)]
        said = {id(part) for each in body if isinstance(each, ast.Raise) for part in ast.walk(each)}
        target = [*ast.walk(loop.target)] if isinstance(loop, ast.For) else []
        changing = {
            part.id
            for part in (*body, *target)
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
        }
        for part in body:  # what a method is called of, or an element is put into, may change
            inner = part.func if isinstance(part, ast.Call) else part
            if isinstance(inner, ast.Attribute | ast.Subscript) and isinstance(
                inner.value, ast.Name
            ):
                changing.add(inner.value.id)
        for call in body:
            if id(call) in said or not (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Name)
                and call.func.id in _BUILDERS
            ):
                continue
            used = {name.id for name in ast.walk(call) if isinstance(name, ast.Name)} - _BUILDERS
            if used and not used & changing:
                yield call.lineno


def test_the_check_sees_a_set_built_for_every_element() -> None:
    assert list(_repeated(ast.parse("[a for a in many if a in set(few)]"))) == [1]
    assert list(_repeated(ast.parse("[a for a in many if a in {*few, *more}]"))) == [1]
    assert list(_repeated(ast.parse("few = set(few)\n[a for a in many if a in few]"))) == []
    assert list(_repeated(ast.parse("[sorted(row) for row in rows]"))) == []
    loops = {
        "for a in many:\n  if a in set(few): pass": [2],
        "while many:\n  many.pop() in sorted(few)": [2],
        "for a in many:\n  few.append(a); set(few)": [],
        "for row in rows:\n  own = row; set(own)": [],
        "for a in many:\n  raise ValueError(sorted(few))": [],
    }
    for text, lines in loops.items():
        assert list(_repeated_in_statements(ast.parse(text))) == lines, text


def test_no_loop_builds_its_set_again() -> None:
    root = Path(graphzsl.__file__).parent
    found = [
        f"{path.relative_to(root)}:{line}"
        for path in sorted(root.rglob("*.py"))
        for check in (_repeated, _repeated_in_statements)
        for line in check(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_nothing_is_sought_by_counting_each_element() -> None:
    """`max(names, key=names.count)` compares every element with every other: a header of 30,000
    equal columns took ten seconds."""
    root = Path(graphzsl.__file__).parent
    found = [
        f"{path.relative_to(root)}:{word.value.lineno}"
        for path in sorted(root.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        for word in call.keywords
        if word.arg == "key"
        and isinstance(word.value, ast.Attribute)
        and word.value.attr == "count"
    ]
    assert found == []
