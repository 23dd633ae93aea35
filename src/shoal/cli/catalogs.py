"""``shoal algorithms``, ``shoal measures`` and ``shoal criteria``: what there is."""

from __future__ import annotations

import textwrap

import click


@click.command(short_help="List the algorithms, with guarantee and reference.")
def algorithms() -> None:
    """What --algorithm takes, then the methods of cluster and the protocols' ways to form groups."""
    from shoal import algorithms, clustering, registry
    from shoal.clustering.guarantee import listed
    from shoal.protocol import grouping
    from shoal.protocol.suppression import partition

    for name in algorithms.CATALOG:
        algorithm = registry.find(algorithms.CATALOG, name)
        _print(
            name,
            algorithm.title,
            ("guarantee", algorithm.guarantee_text),
            ("recoding", algorithm.recoding),
            ("reference", algorithm.reference),
        )
    for name in clustering.CATALOG:
        method = registry.find(clustering.CATALOG, name)
        _print(f"{name} (shoal cluster)", method.title, ("guarantee", listed(name)), ("reference", method.reference))
    others = (
        ("{} (shoal miner init --protocol)", grouping.CATALOG),
        ("{} (shoal miner init --protocol suppression --partition)", partition.CATALOG),
    )
    for command, catalog in others:
        for name in catalog:
            found = registry.find(catalog, name)
            _print(command.format(name), found.title, ("guarantee", found.guarantee_text), ("reference", found.reference))


@click.command(short_help="List the measures, with formula and reference.")
def measures() -> None:
    """What --measure takes, and what is reported beside it."""
    from shoal import measures, registry
    from shoal.measures import a_posteriori

    for name in measures.CATALOG:
        measure = registry.find(measures.CATALOG, name)
        _print(name, measure.title, ("per cell", measure.formula), ("reference", measure.reference))
    for name in measures.REPORTED:
        measure = registry.find(measures.REPORTED, name)
        _print(f"{name} (reported only)", measure.title, ("total", measure.formula), ("reference", measure.reference))
    told = (("total", a_posteriori.FORMULA), ("reference", a_posteriori.REFERENCE))
    _print(f"{a_posteriori.NAME} (by 'shoal measure', for the owner)", a_posteriori.TITLE, *told)


@click.command(short_help="List the privacy criteria, with parameters and reference.")
def criteria() -> None:
    """What a release can promise, and how to ask for it."""
    from shoal import privacy, registry

    for name in privacy.CATALOG:
        criterion = registry.find(privacy.CATALOG, name)
        takes = "; ".join(f"{p.name}: {p.words}" for p in criterion.parameters)
        require = f"{name}={','.join(p.name.upper() for p in criterion.parameters)}"
        written = ("option", criterion.option) if criterion.option else ("require", require)
        _print(name, criterion.title, written, ("takes", takes), ("reference", criterion.reference))


def _print(name: str, title: str, *facts: tuple[str, str]) -> None:
    click.echo(f"{name}: {title}")
    for what, text in facts:
        click.echo(textwrap.fill(text, 104, initial_indent=f"    {what:<11}", subsequent_indent=" " * 15, break_on_hyphens=False))
