"""Standard output whose reader may go: ``shoal algorithms | head -3``."""

from __future__ import annotations

import os
from typing import Any, TextIO


class PatientOutput:
    """Takes what it is given also after its reader has gone, so that a command comes to its end and to its own exit status."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._let_go()
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._let_go()

    def _let_go(self) -> None:
        """What is still in the buffer, and what is to come, goes nowhere."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
