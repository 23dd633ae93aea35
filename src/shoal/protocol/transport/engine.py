"""One thread that owns the miner's state: takes waiting messages, commits them together, then answers."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import Future
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.errors import ProtocolError
from shoal.protocol.board import own_head
from shoal.protocol.chain import first_hash
from shoal.protocol.messages import Body, Message, Rejected, public_bytes
from shoal.protocol.miner import Miner
from shoal.protocol.receipts import make_receipt, sign_receipt
from shoal.protocol.session import Session
from shoal.protocol.transport.storage import Log

BATCH = 256
Item = tuple[Message, "Future[Body]"]


def replay(session: Session, key: bytes, log: Log) -> Miner:
    """The miner's state, computed from the log."""
    miner = Miner(session, key)
    for entry in log.entries():
        miner.take(entry.message, entry.at)
    return miner


class Engine:
    """The miner behind a queue."""

    def __init__(self, session: Session, key: Ed25519PrivateKey, path: Path) -> None:
        self.session, self.key = session, key
        self.log = Log(path, session)
        self.miner = replay(session, public_bytes(key), self.log)
        self.receipts: dict[str, Body] = {}
        before = first_hash(session)
        for entry in self.log.entries():
            self.receipts[entry.message.name] = make_receipt(entry, before)
            before = entry.hash
        self.lock = threading.Lock()
        self.waiting: queue.Queue[Item | None] = queue.Queue(maxsize=10_000)
        self.broken = ""
        self.thread = threading.Thread(target=self.run, name="miner", daemon=True)
        self.thread.start()

    def post(self, message: Message) -> Future[Body]:
        """Queue a message; the future is done when it is on the disk, or refused."""
        answer: Future[Body] = Future()
        try:
            self.waiting.put_nowait((message, answer))
        except queue.Full:
            answer.set_exception(Rejected(503, "busy", "The miner has too many messages to take. Try again."))
        return answer

    def view(self, name: str) -> Body:
        with self.lock:
            return self.miner.view(name)

    def ask(self, message: Message) -> Body:
        with self.lock:
            return self.miner.ask(message, time.time())

    def tick(self) -> None:
        """Post the miner's own messages: that time has run out, the groups, or the seal of a phase that ended."""
        with self.lock:
            word, wanted = self.miner.word(time.time()), self.miner.wanted_head()
        if wanted is not None and self.session.registrar is None:
            word = ("head", wanted[0], own_head(self.session, *wanted, self.key).body())
        if word is not None:
            self.post(Message(self.session.digest, 0, *word).signed(self.key))

    def wanted_head(self) -> tuple[str, int, str] | None:
        """What waits for the registrar; it is on the disk already."""
        with self.lock:
            return None if self.broken else self.miner.wanted_head()

    def close(self) -> None:
        self.waiting.put(None)
        self.thread.join(timeout=10)

    def run(self) -> None:
        while True:
            first = self.waiting.get()
            batch = [] if first is None else [first]
            while first is not None and len(batch) < BATCH and not self.waiting.empty():
                item = self.waiting.get_nowait()
                if item is None:
                    first = None
                    break
                batch.append(item)
            if batch:
                self.take(batch)
            if first is None:
                return

    def take(self, batch: list[Item]) -> None:
        """Step the protocol for each message, commit the new ones together, and answer."""
        answers: list[tuple[Item, Body | Exception]] = []
        fresh: list[tuple[float, Message]] = []
        with self.lock:
            for item in batch:
                answers.append((item, self.step(item[0], fresh)))
            try:
                if fresh:
                    for entry, before in self.log.append(fresh):
                        self.receipts[entry.message.name] = make_receipt(entry, before)
            except Exception:  # the state in memory is ahead of the disk: nothing may be answered from it any more
                self.broken = "the log could not be written"
        for (message, future), answer in answers:
            if self.broken:
                future.set_exception(Rejected(503, "broken", "The miner cannot write its log and takes nothing more."))
            elif isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result({"reply": answer, "receipt": self.receipt(message)})

    def step(self, message: Message, fresh: list[tuple[float, Message]]) -> Body | Exception:
        now = time.time()
        try:
            if self.broken:
                raise Rejected(503, "broken", "The miner cannot write its log and takes nothing more.")
            reply, new = self.miner.take(message, now)
        except ProtocolError as refused:
            return refused
        except Exception:  # an unexpected error: the state may be half changed, so it is computed again from the log
            self.miner = replay(self.session, public_bytes(self.key), self.log)
            for at, kept in fresh:
                self.miner.take(kept, at)
            return Rejected(500, "internal", "The miner failed at this message. It was not taken.")
        if new:
            fresh.append((now, message))
        return reply

    def receipt(self, message: Message) -> Body:
        """The miner's signed statement of where the message is in the chain."""
        return sign_receipt(self.session, self.receipts[message.name], self.key)
