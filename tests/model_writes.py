"""Which models a Python source writes, found in its syntax tree without running it.

A write is a method that stores or deletes rows, called or handed on. Its model is read off the
expression before it: `Game.objects…`, `game.seat_set…`, or a name whose model an annotation, an
assignment or a loop in the same function or module tells. Where none does, the source of that
expression stands for it, so that a test can ask about it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

WRITING = {
    *("save", "create", "delete", "update", "bulk_create", "bulk_update"),
    *("get_or_create", "update_or_create"),
}
WRITING |= {f"a{verb}" for verb in WRITING}
MANAGERS = {"objects", "unsealed", "_default_manager", "_base_manager"}
# What hands on the rows of their argument, one by one or as they are.
_PASSING = {"list", "tuple", "sorted", "reversed", "first", "cast"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Write(NamedTuple):
    line: int
    verb: str
    writes: str  # a model or another class, or the source of an expression that nothing explains


def writes_in(tree: ast.Module) -> Iterator[Write]:
    """Every write of a module."""
    for scopes, method in _methods(tree, [tree]):
        if method.attr in WRITING:
            found = _model(method.value, scopes) or ast.unparse(method.value)
            yield Write(method.lineno, method.attr, found)


def _methods(node: ast.AST, scopes: list[ast.AST]) -> Iterator[tuple[list[ast.AST], ast.Attribute]]:
    """Every attribute read below a node, and the functions and classes around it, outermost first.

    Not calls alone: `partial(rows.update, …)` writes too.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Load):
            yield scopes, child
        inner = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        yield from _methods(child, [*scopes, child] if inner else scopes)


def _model(value: ast.expr, scopes: list[ast.AST], seen: frozenset[str] = frozenset()) -> str:
    """The class whose rows an expression holds; "" where nothing tells."""
    match value:
        case ast.Attribute(value=owner, attr=attr) if attr in MANAGERS:
            return _last(owner) or _model(owner, scopes, seen)
        case ast.Attribute(attr=attr) if attr.endswith("_set"):
            return attr.removesuffix("_set")
        case ast.Subscript(value=owner) | ast.Await(value=owner):
            return _model(owner, scopes, seen)
        case ast.NamedExpr(value=owner):
            return _model(owner, scopes, seen)
        case ast.IfExp(body=one, orelse=other):
            return _model(one, scopes, seen) or _model(other, scopes, seen)
        case ast.BoolOp(values=values) | ast.Tuple(elts=values) | ast.List(elts=values):
            return next(filter(None, (_model(each, scopes, seen) for each in values)), "")
        case ast.Call(func=ast.Name(id="get_user_model")):
            return "User"
        case ast.Call(func=ast.Name(id=name), args=[*_, last]) if name in _PASSING:
            return _model(last, scopes, seen)
        case ast.Call(func=ast.Name(id=name)):
            return _returned(name, scopes) or (name if name[:1].isupper() else "")
        case ast.Call(func=ast.Attribute(value=owner, attr=name)):
            return _model(owner, scopes, seen) or (name if name[:1].isupper() else "")
        case ast.Name(id=name) if name[:1].isupper():
            return name
        case ast.Name(id=name) if name not in seen:
            return _named(name, scopes, seen | {name})
    return ""


def _named(name: str, scopes: list[ast.AST], seen: frozenset[str]) -> str:
    """What a name holds, by the innermost scope that says so."""
    for scope in reversed(scopes):
        for node in _own_nodes(scope):
            match node:
                case ast.arg(arg=found, annotation=ast.expr() as kind) if found == name:
                    return _annotated(kind)
                case ast.AnnAssign(target=ast.Name(id=found), annotation=kind) if found == name:
                    return _annotated(kind)
                case ast.Assign(targets=[target], value=value) if _binds(target, name):
                    if told := _model(value, scopes, seen):
                        return told
                case (
                    ast.For(target=target, iter=value)
                    | ast.comprehension(target=target, iter=value)
                ) if _binds(target, name):
                    if told := _model(value, scopes, seen):
                        return told
                case ast.NamedExpr(target=target, value=value) if _binds(target, name):
                    if told := _model(value, scopes, seen):
                        return told
    return ""


def _binds(target: ast.expr, name: str) -> bool:
    """Whether an assignment to this target gives the name a value of the same model."""
    if isinstance(target, ast.Tuple):  # `row, made = Model.objects.get_or_create(…)`
        target = target.elts[0]
    return isinstance(target, ast.Name) and target.id == name


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in a scope, without the functions and classes inside of it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _own_nodes(child)


def _returned(name: str, scopes: list[ast.AST]) -> str:
    """What a function of this module gives back, by its annotation."""
    for scope in reversed(scopes):
        for node in ast.iter_child_nodes(scope):
            if isinstance(node, _Function) and node.name == name and node.returns:
                return _annotated(node.returns)
    return ""


def _annotated(kind: ast.expr) -> str:
    """The class of which an annotation has one or many: `Game | None`, `QuerySet[models.Seat]`."""
    match kind:
        case ast.Subscript(slice=ast.Tuple(elts=[*_, inner])) | ast.Subscript(slice=inner):
            return _annotated(inner)
        case ast.BinOp(left=left):
            return _annotated(left)
        case ast.Constant(value=str(text)):
            return _annotated(ast.parse(text, mode="eval").body)
    return _last(kind)


def _last(name: ast.expr) -> str:
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
