"""The command ``shoal``: one file per command, loaded when it is called."""


def main() -> None:
    """Run the command line."""
    import sys

    from shoal.cli.main import run
    from shoal.cli.pipe import PatientOutput

    sys.stdout = PatientOutput(sys.stdout)
    sys.exit(run())
