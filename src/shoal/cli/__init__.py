"""The command ``shoal``: one file a command, loaded when it is called."""


def main() -> None:
    """Run the command line."""
    from shoal.cli.main import cli

    cli()
