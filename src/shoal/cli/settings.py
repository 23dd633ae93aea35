"""Options made of the declaration: what a setting is, its default and what it may be are said there, for every door."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import click

from shoal.policy.allowed import NumberIn, OneOf, TextList, WholeNumber, YesOrNo
from shoal.policy.beside import BESIDE, NAMES
from shoal.policy.clusters import CLUSTER
from shoal.policy.setting import Setting
from shoal.policy.settings import SETTINGS

Command = Callable[..., Any]
DECLARED = {**SETTINGS, **BESIDE, **CLUSTER}
SEVERAL = "May be repeated, or several with commas (a name that has one in double quotes)."
ROLES = ("quasi_identifiers", "sensitive", "identifiers")


def asked(*names: str, help: str | None = None, **how: Any) -> Callable[[Command], Command]:
    """The options of these settings, in this order. They arrive by the settings' names; ``help`` and ``how`` say what is meant otherwise here."""

    def declare(command: Command) -> Command:
        for name in reversed(names):
            command = _option(DECLARED[name], help, how)(command)
        return command

    return declare


def _option(entry: Setting, help: str | None, how: dict[str, Any]) -> Callable[[Command], Command]:
    said = {"default": None, "metavar": entry.metavar, "help": help or sentence(entry), **_taken(entry), **how}
    return click.option(*entry.options, entry.name, **said)


def _taken(entry: Setting) -> dict[str, Any]:
    """How the words of the command become the setting's value."""
    allowed = entry.allowed
    if entry.name in CALLBACKS or allowed is NAMES:
        return {"multiple": True, "callback": CALLBACKS.get(entry.name, columns_of)}
    if isinstance(allowed, TextList):
        return {"multiple": True}
    if isinstance(allowed, OneOf):
        return {"type": click.Choice(list(allowed.meaning))}
    if isinstance(allowed, YesOrNo):
        return {} if "/" in entry.options[0] else {"is_flag": True}
    return {"type": int if isinstance(allowed, WholeNumber) else float if isinstance(allowed, NumberIn) else str}


def sentence(entry: Setting) -> str:
    """What a setting is, for the help of a command.

    >>> sentence(SETTINGS["k"])
    'Every released row is one of at least k alike (default 5).'
    """
    usual = entry.usual if not isinstance(entry.allowed, YesOrNo) else entry.options[0].split("/")[0] if entry.default else ""
    said = f"{entry.help[0].upper()}{entry.help[1:]}{f' (default {usual})' if usual else ''}."
    if entry.allowed is NAMES:
        said += f" {SEVERAL}"
    elif isinstance(entry.allowed, TextList) or entry.name in CALLBACKS:
        said += " May be repeated."
    return said + (f" (--{entry.old} is its old name.)" if entry.old else "")


def columns_of(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Column names, each by itself or several with commas."""
    names = [name for text in given for name in _split(text)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise click.BadParameter(f"the column '{twice[0]}' is named twice")
    return tuple(names)


def _split(text: str) -> list[str]:
    return [part.strip() for part in next(csv.reader([text], skipinitialspace=True)) if part.strip()] if "," in text else [text]


def criteria(command: Command) -> Command:
    """--require, and the shorthands that criteria declare, each an option. They arrive as ``require`` and by their keys."""
    from shoal.privacy import asking

    for key, shared in reversed(asking.shorthands().items()):
        first, *others = shared
        letters = ",".join(p.name.upper() for p in first.parameters)
        also = "".join(f", or {c.kind}:{','.join(p.name.upper() for p in c.parameters)}" for c in others)
        words = f"Every group: {'; '.join(p.words for p in first.parameters)}{also}."
        command = click.option(f"--{key.replace('_', '-')}", key, metavar=letters, help=words)(command)
    return asked("require")(command)


def _requirements(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    from shoal.privacy import asking

    return dict(asking.read_requirements(given))


def _weights(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, float] | None:
    found: dict[str, float] = {}
    for text in given:
        name, equals, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise click.BadParameter(f"write COLUMN=NUMBER, as in age=2; not '{text}'")
    return found or None


CALLBACKS: dict[str, Callable[..., Any]] = {"require": _requirements, "weights": _weights}
"""Settings that are written in a form of their own on the command line."""
