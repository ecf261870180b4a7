"""A row: a small program over elements of any shape, and what it must log.

The text of a row is Swift, in which the matrix replaces:

    Element     the type of the elements
    make(i)     the i-th element
    elements(n) the first n elements
    key(x)      what is read of an element: all of it, one field, or nothing
    keyed(i)    the same of the i-th element, by a call that the optimizer does not look into
    SOURCE(n)   a stream of n elements, made in one of several ways; SOURCE(n, i) begins with the i-th
    FAILING(n)  such a stream, which then fails
"""

from dataclasses import dataclass

__all__ = [
    "row", "statements", "awaiting", "emits", "fails", "received",
    "NUMBER", "TRUTH", "LIST", "PAIR", "PAIR_WITH_NUMBER", "NUMBER_WITH_ELEMENT",
    "TALLY", "CLOCK", "SUBJECT", "SUBJECTS", "SUBJECT_AND_CLOCK", "CONTEXTS",
]

# How the elements of a row's stream are read, if they are no elements of the shape.
NUMBER = "x"
TRUTH = "(x ? 1 : 0)"
LIST = "x.reduce(7) { $0 &* 31 &+ key($1) }"
PAIR = "pair(key(x.0), key(x.1))"
PAIR_WITH_NUMBER = "pair(key(x.0), x.1)"
NUMBER_WITH_ELEMENT = "pair(x.0, key(x.1))"

# What stands before a row's stream.
TALLY = "let tally = Tally()"
CLOCK = "let scheduler = TestScheduler()"
SUBJECT = "let a = PublishSubject<Element>()"
SUBJECTS = SUBJECT + "; let b = PublishSubject<Element>()"
SUBJECT_AND_CLOCK = SUBJECT + "; " + CLOCK
CONTEXTS = "let first = Context<Element>(); let second = Context<Element>()"


@dataclass(frozen=True)
class Row:
    kind: str  # chain, statements, awaiting
    number: int
    names: tuple  # of the public API, as the catalogue and Docs/API have them
    code: str
    expected: str
    read: str = "key(x)"
    before: str = ""
    after: str = ""
    needs: frozenset = frozenset()
    cold: bool = False

    @property
    def title(self):
        return f"{' '.join(self.names)} #{self.number}"

    @property
    def ends(self):
        return self.expected.endswith(("completed]", "failed]"))

    def takes(self, shape):
        """Whether the elements of this row can have a shape."""
        return all((need.removeprefix("not-") in shape.tags) != need.startswith("not-") for need in self.needs - {"main"})


rows = []


def add(kind, names, *arguments, needs="", **options):
    names = (names,) if isinstance(names, str) else names
    number = 1 + sum(row.names == names for row in rows)
    rows.append(Row(kind, number, names, *arguments, needs=frozenset(needs.split()), **options))


def row(names, stream, expected, **options):
    """A stream, which is consumed in one of several ways; `read` is what is logged of its element `x`.

    `before` stands before it, `after` behind the subscription. `needs` names what the shape must have (hashable, nominal, not-optional), or
    main, for code of the main actor. A leading SOURCE is a subject in some snippets, unless the row is `cold`: it subscribes later or twice.
    """
    add("chain", names, stream, expected, **options)


def statements(names, code, expected, **options):
    """Statements that log."""
    add("statements", names, code, expected, **options)


def awaiting(names, code, expected, **options):
    """Statements of an async function that log."""
    add("awaiting", names, code, expected, **options)


def emits(*elements):
    return entries(elements, "completed")


def fails(*elements):
    return entries(elements, "failed")


def received(*elements):
    return entries(elements)


def entries(elements, *end):
    """What is logged: the key of a numbered element, or those of a pair or list of elements."""
    return "[" + ", ".join([entry(element) for element in elements] + list(end)) + "]"


def entry(element):
    if isinstance(element, tuple):
        return f"pair({', '.join(f'keyed({number})' for number in element)})"
    if isinstance(element, list):
        return f"list([{', '.join(f'keyed({number})' for number in element)}])"
    return f"keyed({element})"
