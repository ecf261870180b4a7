"""Prints what a run of the matrix found."""

import shlex
import subprocess
from collections import Counter

SHOWN = 3  # failures as whole programs


def report(session, compiler, seed):
    """Prints the checks by kind and the first failures as whole programs; returns the status of the process."""
    outcome = session.outcome
    show_programs(outcome.failures, compiler, seed)
    kinds = {
        "context": Counter(snippet.context for snippet, _ in outcome.checked),
        "flags": Counter(snippet.flags for snippet, _ in outcome.checked),
        "read": Counter(snippet.read for snippet, _ in outcome.checked),
        "shape": Counter(shape.split("<")[0] for _, shape in outcome.checked),
    }
    for kind, counts in kinds.items():
        print(f"\n{kind}: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))))
    rows = {snippet.row.title for snippet, _ in outcome.checked}
    left = f"; {session.left} programs were left when the time was over" if session.left else ""
    print(f"\n{len(outcome.checked)} snippets of {len(rows)} rows in {session.programs} programs ran in {session.seconds:.0f} s with seed {seed}{left}")
    print(f"{outcome.checks} checks, {len(outcome.failures)} failures")
    if not outcome.checked:
        print("Nothing ran.")
    return 1 if outcome.failures or not outcome.checked else 0


def show_programs(failures, compiler, seed):
    """The first failure of each of the first rows as a whole program that a person can compile."""
    firsts = {failure.snippet.row.title: failure for failure in reversed(failures)}
    for failure in list(reversed(firsts.values()))[:SHOWN]:
        place = compiler.folder / "alone"
        fails, texts, commands = compiler.alone(failure, seed, place)
        print(f"\n=== {failure.snippet.row.title}: {failure.what}")
        print("The program fails alone:" if fails else "Alone, the program does not fail; it did with the others of its program.")
        for name, text in texts.items():
            print(f"--- {name}\n{formatted(text)}", end="")
        for command in commands:
            print("--- " + shlex.join(map(str, command)).replace(f"{place}/", ""))


def formatted(text):
    try:
        done = subprocess.run(["swift", "format", "format"], input=text, capture_output=True, text=True)
    except OSError:
        return text
    return done.stdout if done.returncode == 0 and done.stdout else text
