"""Which snippets run: the whole is every row with every shape in every context; a seed, a share and a choice of kinds select."""

import hashlib
import random
from collections import Counter
from dataclasses import dataclass

from chains import chain
from flags import flag_sets
from program import Program, allows, contexts
from row import rows
from shapes import forms, shapes
from snippets import Snippet, reads

CHAINS = 30  # rows that the seed puts together
SIZE = 16  # snippets of a program: enough to make little of what it costs to compile the part that they share

# What does not run, and why.
exemptions = {
    "optimized generic code reads other memory than the fields of a generic struct with a pack (Docs/Mistakes.md)":
        lambda snippet: snippet.shape and snippet.shape.name == "PackOf" and "-Onone" not in flag_sets[snippet.flags].options,
}


@dataclass
class Choice:
    """The kinds of snippets that may run."""
    contexts: tuple = tuple(contexts)
    flags: tuple = tuple(flag_sets)
    reads: tuple = tuple(reads)
    shapes: tuple = tuple(shapes)
    forms: tuple = tuple(forms)
    title: str = ""


def number(*parts):
    """A number below 1 that these parts decide."""
    return int.from_bytes(hashlib.blake2b("|".join(parts).encode(), digest_size=8).digest()) / 2**64


def drawn(candidates, *parts):
    return candidates[int(number(*parts) * len(candidates))]


def snippets(seed, choice):
    """All snippets. A row meets each shape once in each context; generic code, which is for all shapes, is compiled with each set of flags.

    The seed draws the read, and the flags of a snippet with one shape: another seed draws others.
    """
    all_rows = [row for row in rows + [chain(index, random.Random(f"{seed}|chain|{index}")) for index in range(CHAINS)] if choice.title in row.title]
    for context in choice.contexts:
        for row in all_rows:
            if allows(context, row):
                yield from (snippet for snippet in ways(seed, context, row, choice) if not any(applies(snippet) for applies in exemptions.values()))


def ways(seed, context, row, choice):
    """The snippets of a row in a context."""
    if contexts[context].is_generic:
        for flags in choice.flags:
            yield Snippet(context, flags, drawn(choice.reads, seed, context, row.title, flags, "read"), row, None)
        return
    for shape in choice.forms if context == "two parameters" else choice.shapes:
        if not row.takes(shape):
            continue
        identity = (seed, context, row.title, shape.name)
        possible = choice.reads if shape.has_fields else [read for read in choice.reads if read != "one"]
        if possible:
            yield Snippet(context, drawn(choice.flags, *identity, "flags"), drawn(possible, *identity, "read"), row, shape)


def programs(seed, share, size, choice):
    """Programs of at most `size` snippets, in an order that the seed decides; contexts take turns, so that the first programs are of all kinds."""
    groups = {}
    for snippet in snippets(seed, choice):
        if share == 1 or number(seed, snippet.identity, "share") < share:
            groups.setdefault((snippet.context, snippet.flags), []).append(snippet)
    found = []
    for (context, flags), group in groups.items():
        random.Random(f"{seed}|{context}|{flags}").shuffle(group)
        found += [Program(context, flags, tuple(group[first:first + size]), seed) for first in range(0, len(group), size)]
    random.Random(f"{seed}|programs").shuffle(found)
    turns = Counter()

    def turn(program):
        turns[program.context] += 1
        return turns[program.context]

    return sorted(found, key=turn)
