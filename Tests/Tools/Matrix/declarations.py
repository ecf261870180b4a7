"""The declarations of Support.swift and Elements.swift, of which a program gets those that it uses."""

import pathlib
import re
from functools import cache

here = pathlib.Path(__file__).resolve().parent
head = "import Foundation\nimport Streams\nimport StreamsTesting\nimport Synchronization\n"


@cache
def declarations():
    """Each top-level declaration with its comment, and the names that it declares or extends."""
    found = []
    for file in ("Support.swift", "Elements.swift"):
        lines = [line for line in (here / file).read_text().splitlines() if not re.match(r"import |// ", line)]
        block, depth = [], 0
        for line in lines:
            block.append(line)
            depth += line.count("{") - line.count("}")
            if depth == 0 and line.strip() and not re.match(r"///|@\w+$", line):
                text = "\n".join(block).strip("\n")
                found.append((re.findall(r"^(?!///).*?\b(?:class|struct|enum|protocol|actor|func|let|var|extension) (\w+)", text, re.MULTILINE)[0], text))
                block = []
    return found


def used(text):
    """The declarations that `text` needs, and those that they need, in their order."""
    known, needed, new = declarations(), set(), words(text)
    while new:
        chosen = {place for place, (name, _) in enumerate(known) if place not in needed and name in new}
        needed |= chosen
        new = {word for place in chosen for word in words(known[place][1])}
    return "\n".join(known[place][1] for place in sorted(needed))


def words(text):
    return set(re.findall(r"\w+", text))


def internal(text):
    """Without what only a library needs: a program's optimizer knows that nothing else uses its declarations."""
    return re.sub(r"\bpublic |@inlinable ", "", text)


def frozen(text):
    """As a library that may evolve states them: its inlinable code knows all cases."""
    return re.sub(r"^public (indirect )?enum", r"@frozen public \1enum", text, flags=re.MULTILINE)
