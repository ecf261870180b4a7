"""Runs many programs at once, until a time limit."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from running import Outcome, Stopped


@dataclass
class Session:
    """What a run of the matrix found. `left` counts the programs that the time limit kept out."""
    outcome: Outcome
    programs: int
    left: int
    seconds: float


def run(compiler, programs, jobs, seconds=None):
    start = time.monotonic()
    total, done, lock = Outcome(), 0, threading.Lock()

    def check(item):
        nonlocal done
        number, program = item
        if compiler.is_stopped:
            return
        try:
            outcome = compiler.check(program, compiler.folder / f"program{number}")
        except Stopped:
            return
        with lock:
            done += 1
            tell(outcome.failures)
            total.failures += outcome.failures
            total.checked += outcome.checked
            total.checks += outcome.checks

    if seconds:
        timer = threading.Timer(seconds, compiler.stop)
        timer.daemon = True
        timer.start()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(check, enumerate(programs)))
    if seconds:
        timer.cancel()
        compiler.is_stopped = False
    return Session(total, done, len(programs) - done, time.monotonic() - start)


def tell(failures):
    """Prints the first failure of each snippet, and how many more it has."""
    for snippet in dict.fromkeys(failure.snippet for failure in failures):
        first, *more = [failure for failure in failures if failure.snippet == snippet]
        others = f" ({len(more)} more)" if more else ""
        print(f"FAILS {snippet.row.title} [{snippet.context}, {snippet.flags}, {snippet.read}, {first.shape or 'all shapes'}]{others}: {first.what}", flush=True)
