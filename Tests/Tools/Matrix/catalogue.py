"""Checks, without a build, that every operator of the catalogue has a row, and that every row is about what it names."""

import pathlib
import re

from row import rows

root = pathlib.Path(__file__).resolve().parents[3]

# Operators without a row, and why.
exemptions = {
    "flatMapOutcome(_:)": "is not public: the steps of a request use it",
    "scoped(_:)": "is not public: the steps of a request use it",
    "carrying(_:)": "is not public: the steps of a request use it",
    "signals(_:)": "emits the numbers of signals of the system, no elements of a client",
    "decode(as:using:)": "decodes JSON, of which the shapes are not made; its rows would be those of map(_:)",
    "asPublisher(overflow:)": "needs Combine, which only Apple's systems have",
}


def operators():
    """The names in the entries of the catalogue."""
    texts = [path.read_text() for path in sorted((root / "Tests/OperatorCatalogue/Operators").glob("*.swift"))]
    entries = [entry for text in texts for entry in re.findall(r'\bOperator\(\s*((?:"[^"]+",\s*)+)in: "', text)]
    return {name for entry in entries for name in re.findall(r'"([^"]+)"', entry)}


def public_names():
    """The names in Docs/API, where repeated `_:` stand for each number of streams."""
    lines = [line for module in ("Streams", "StreamsTesting") for line in (root / f"Docs/API/{module}.txt").read_text().splitlines()]
    return {re.sub(r"(_:)+", "_:", line.split("\t")[0]) for line in lines}


def problems():
    """What is wrong with the rows, a line each."""
    catalogue, public = operators(), public_names()
    named = {name for row in rows for name in row.names}
    yield from (f"{name}: no row of the matrix (Tests/Tools/Matrix/rows), and no exemption" for name in sorted(catalogue - named - exemptions.keys()))
    yield from (f"{name}: is exempt from the matrix, and has a row or is no operator" for name in exemptions if name in named or name not in catalogue)
    if len(catalogue) < 200:
        yield f"The catalogue of operators was read as {len(catalogue)} names: has the form of its entries changed?"
    for row in rows:
        for name in row.names:
            if name not in catalogue and name not in public:
                yield f"{row.title}: there is no {name} in the catalogue or in Docs/API"
            if not uses(row, name):
                yield f"{row.title}: its code does not use {name}"


def uses(row, name):
    """Whether a row's code has the name, as a call or a property; a type's initializer is called by the name of the type."""
    owner, _, member = name.split("(")[0].rpartition(".")
    word = owner if member == "init" else member
    text = " ".join((row.before, row.code, row.after))
    calls = re.search(rf"(?<!\w){re.escape(word)}(<[^()]*>)?\(| *\.{re.escape(word)} ?[{{]", text)
    return bool(calls) or "(" not in name and re.search(rf"[.$]{re.escape(word)}\b|[.]\$value", text) is not None
