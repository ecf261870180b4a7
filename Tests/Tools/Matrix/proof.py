"""Shows that the matrix finds two faults that the library has had, each in a copy of the library that has it again."""

import pathlib
import re
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from typing import Callable

from flags import Library, libraries, root
from running import Compiler
from selection import SIZE, Choice, programs
from session import run

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "copy",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CStreamsSystem"),
        .target(name: "Schedulers", dependencies: ["CStreamsSystem"]),
        .target(name: "Streams", dependencies: ["Schedulers", "CStreamsSystem"]),
        .target(name: "CInspector"),
        .target(name: "StreamsInspector", dependencies: ["Streams", "CInspector", "CStreamsSystem"]),
        .target(name: "StreamsTesting", dependencies: ["Streams", "StreamsInspector"]),
    ],
    swiftLanguageModes: [.v6]
)
"""

# An element that is passed by reference stood in an optional, whose address was converted to that of its payload.
PLACE = "static func place(_ element: consuming Element, _ body: (UnsafeMutablePointer<Element>) -> Void) {"
CONVERTED = """
            if _isPOD(Element.self) {
                var element = element
                _withUnprotectedUnsafeMutablePointer(to: &element) { memory in body(memory) }
            } else {
                var element: Element? = consume element
                _withUnprotectedUnsafeMutablePointer(to: &element) { memory in
                    body(UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Element.self))
                    memory.initialize(to: nil)
                }
            }"""
# Closures of inlinable code captured values of types that contain tuples of type parameters. A struct is captured as what it contains.
CONSTANT = "@usableFromInline\nfinal class Constant<Value: Sendable>: Sendable {"
CAPTURED = "@frozen @usableFromInline\nstruct Constant<Value: Sendable>: Sendable {"


@dataclass(frozen=True)
class Fault:
    name: str
    place: str  # what the one file has in which it was
    put_back: Callable[[str], str]
    choice: Choice  # the kinds of snippets that find it
    share: float


def converted(text):
    """The body of `place`, whatever it is, as it was."""
    body = re.search(re.escape(PLACE) + r"(.*?)\n        }\n", text, re.DOTALL)
    return text[:body.start(1)] + CONVERTED + text[body.end(1):] if body else text


def captured(text):
    return text.replace(CONSTANT, CAPTURED)


faults = [
    Fault("an element of which one field is read was not stored", PLACE, converted,
          Choice(contexts=("function",), flags=("-O",), reads=("one",)), 0.007),
    Fault("a tuple of type parameters that is captured stopped the compiler", CONSTANT, captured,
          Choice(contexts=("two parameters",), flags=("-O",)), 0.01),
]


def prove(seed, jobs):
    """Whether each fault is found in a copy that has it, by snippets of which none fails with the library as it is."""
    libraries["release"].build()
    return all([found(fault, seed, jobs) for fault in faults])


def found(fault, seed, jobs):
    chosen = programs(seed, fault.share, SIZE, fault.choice)
    print(f"{fault.name}: {sum(len(program.snippets) for program in chosen)} snippets", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        package = copy(pathlib.Path(folder))
        put_back(fault, package)
        faulty = Library(package / ".build", "release", package=package)
        faulty.build()
        without, with_it = (tried(chosen, jobs, library, package, title) for library, title in ((libraries["release"], "without it"), (faulty, "with it")))
    is_found = bool(with_it.failures) and not without.failures and bool(without.checked)
    print("    found" if is_found else "    NOT FOUND" if not with_it.failures else "    SOMETHING FAILS WITHOUT IT", flush=True)
    return is_found


def tried(chosen, jobs, library, package, title):
    outcome = run(Compiler(package / "clients", {"release": library}), chosen, jobs).outcome
    kinds = Counter(" ".join(failure.what.split()[:3]).rstrip(":") if failure.what[0].islower() else failure.what.split()[0] for failure in outcome.failures)
    counts = "".join(f"; {count} x {kind}" for kind, count in kinds.items())
    print(f"    {title}: {len(outcome.checked)} ran, {len(outcome.failures)} failures{counts}", flush=True)
    return outcome


def put_back(fault, package):
    files = [file for file in (package / "Sources/Streams").rglob("*.swift") if fault.place in file.read_text()]
    texts = {file: (file.read_text(), fault.put_back(file.read_text())) for file in files}
    if len(texts) != 1 or any(before == after for before, after in texts.values()):
        sys.exit(f"{fault.name}: it cannot be put back, since `{fault.place}` is in {len(files)} files or not what it was: adapt Tests/Tools/Matrix/proof.py")
    for file, (_, after) in texts.items():
        file.write_text(after)


def copy(package):
    for module in ("CStreamsSystem", "Schedulers", "Streams", "CInspector", "StreamsInspector", "StreamsTesting"):
        shutil.copytree(root / "Sources" / module, package / "Sources" / module)
    (package / "Package.swift").write_text(MANIFEST)
    return package

