"""The command's options are made of the declaration of settings."""

from __future__ import annotations

import click
import pytest

from shoal.cli import anonymize, cluster, settings, verify
from shoal.policy.clusters import CLUSTER
from shoal.policy.setting import Setting
from shoal.policy.settings import SETTINGS


def options_of(command: click.Command) -> dict[str, click.Option]:
    return {str(p.name): p for p in command.params if isinstance(p, click.Option)}


def test_a_run_takes_every_setting_and_says_what_is_declared() -> None:
    there = options_of(anonymize.anonymize)
    for name, entry in {**SETTINGS, **settings.BESIDE}.items():
        option = there[name]
        assert option.help == settings.sentence(entry)
        assert "/".join((*option.opts, *option.secondary_opts)) == "/".join(entry.options)
        assert option.default is None or option.multiple, "what is not said is left to the policy"


def test_a_clustering_takes_its_own() -> None:
    for name, entry in CLUSTER.items():
        assert options_of(cluster.cluster)[name].help == settings.sentence(entry)
        assert name in options_of(verify.verify) or name == "sensitive_as"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("k", "Every released row is one of at least k alike (default 5)."),
        ("keep_order", "(default --keep-order)."),
        ("withhold", "such as 0.01 (default 0). (--suppress is its old name.)"),
        ("missing_values", "May be repeated."),
        ("keep", settings.SEVERAL),
    ],
)
def test_the_help_of_an_option_has_its_default_and_how_it_is_repeated(name: str, words: str) -> None:
    assert settings.sentence(settings.DECLARED[name]).endswith(words)


def test_an_option_may_mean_something_else_in_a_command() -> None:
    @click.command()
    @settings.asked("measure", help="The measure of the release.", metavar="M")
    def command(measure: str | None) -> None: ...

    [option] = command.params
    assert isinstance(option, click.Option)
    assert (option.help, option.metavar, option.name) == ("The measure of the release.", "M", "measure")
    assert isinstance(settings.DECLARED["measure"], Setting)
