"""A program of snippets that share a context and flags: the text of its files."""

import random
import re
from dataclasses import dataclass

from declarations import frozen, head, internal, used
from shapes import forms, shapes
from snippets import Snippet, body, can_dispose

MAIN = "@main enum Program {\n    static func main() async {\n        await everything()\n        finish()\n    }\n}\n"
FILE = 8  # snippets, so that a module that is not compiled whole has several files


@dataclass(frozen=True)
class Context:
    """Where the code of a snippet stands. `{shape}` is the name of a shape or form, `{name}` the function's, `{effects}` async and throws."""
    function: str
    call: str
    is_generic: bool = False
    scope: str = ""
    is_library: bool = False


def in_extension(attributes, extended="{shape}", modifiers="static "):
    return "extension " + extended + " {{\n    " + attributes + modifiers + "func {name}(){effects} {{\n{body}\n    }}\n}}\n"


EXTENDED = "{protocol}"
contexts = {
    "function": Context(in_extension("@inline(never) "), "{shape}.{name}()"),
    "top level": Context("", "", scope="{shape}."),
    "main actor": Context(in_extension("@MainActor @inline(never) "), "{shape}.{name}()"),
    "async": Context(in_extension("@inline(never) "), "{shape}.{name}()"),
    "typed errors": Context(in_extension("@inline(never) "), "{shape}.{name}()"),
    "disposal": Context(in_extension("@inline(never) "), "{shape}.{name}()"),
    "generic function": Context(in_extension("@inline(never) ", EXTENDED), "{shape}.{name}()", is_generic=True),
    "generic type": Context(in_extension("@inline(never) ", "Holder where Kind: {protocol}", ""), "Holder<{shape}>().{name}()", is_generic=True, scope="Kind."),
    "actor": Context(in_extension("@inline(never) ", "Keeper where Kind: {protocol}", ""), "Keeper<{shape}>().{name}()", is_generic=True, scope="Kind."),
    "two parameters": Context(in_extension("@inline(never) "), "{shape}<X, Y>.{name}()"),
    "inlinable library": Context(in_extension("@inlinable public ", EXTENDED), "{shape}.{name}()", is_generic=True, is_library=True),
    "evolving library": Context(in_extension("@inlinable public ", EXTENDED), "{shape}.{name}()", is_generic=True, is_library=True),
}
holders = {"generic type": "struct Holder<Kind: Shape> {}\n", "actor": "actor Keeper<Kind: Shape> {}\n"}


def allows(context, row):
    """Whether a row's code can stand in a context."""
    if "main" in row.needs:
        return context == "main actor"
    if context == "disposal":
        return can_dispose(row)
    return row.kind != "awaiting" or context not in ("function", "typed errors")


@dataclass(frozen=True)
class Program:
    context: str
    flags: str
    snippets: tuple[Snippet, ...]
    seed: str

    def files(self):
        """The text of each file; those of a library are in a folder."""
        context, functions = contexts[self.context], [self.function(number) for number in range(len(self.snippets))]
        calls = self.calls()
        types = self.shape_types() + holders.get(self.context, "")
        needed = used("\n".join([*functions, calls, types, "finish"]))
        folder = "Library/" if context.is_library else ""
        result = {f"{folder}Support.swift": head + self.stated(needed + "\n" + types)}
        for first in range(0, len(functions) if self.context != "top level" else 0, FILE):
            result[f"{folder}Snippets{first // FILE}.swift"] = head + "\n".join(functions[first:first + FILE])
        library = "import Library\n" if context.is_library else ""
        if self.context != "top level":
            result["Calls.swift"] = head + library + calls
        result["main.swift"] = head + library + (calls if self.context == "top level" else "await everything()\n") + "finish()\n"
        return result

    def stated(self, text):
        if self.context == "evolving library":
            return frozen(text)
        return text if contexts[self.context].is_library else internal(text)

    def alone(self):
        """The whole program in one file, or in one of a library and one of a client."""
        files = self.files()
        library = [text for name, text in files.items() if name.startswith("Library/")]
        client = [text for name, text in files.items() if not name.startswith("Library/")]
        if self.context != "top level":
            client[-1] = client[-1].replace("await everything()\nfinish()\n", MAIN)
        joined = {"Library.swift": once(library)} if library else {}
        return joined | {"main.swift" if self.context == "top level" else "Program.swift": once(client)}

    # Parts of the text.

    def function(self, number):
        snippet, context = self.snippets[number], contexts[self.context]
        if self.context == "top level":
            return ""
        text = body(snippet, context.scope, random.Random(f"{self.seed}|{snippet.identity}"))
        return context.function.format(
            shape=snippet.shape.name if snippet.shape else "", protocol=self.protocol(snippet),
            name=f"snippet{number}", effects=self.effects(snippet), body=indented(text, 8))

    def effects(self, snippet):
        if snippet.is_async:
            return " async throws"
        return " throws(Fault)" if self.context == "typed errors" else ""

    def calls(self):
        """The function `everything`, which calls each snippet with its shape or with all that fit."""
        if self.context == "top level":
            return "".join(self.statements(number) for number in range(len(self.snippets)))
        functions, lists, lines = [], {}, self.warm()
        for number, snippet in enumerate(self.snippets):
            if self.context == "two parameters":
                functions.append(f"@MainActor func call{number}<X: Shape, Y: Shape>(_ x: X.Type, _ y: Y.Type) async {{ {self.call(number, snippet.shape.name)} }}")
                lines.append(f"for pair in pairs {{ await call{number}(pair.0, pair.1) }}")
            elif contexts[self.context].is_generic:
                fitting, protocol = [shape for shape in shapes if snippet.row.takes(shape)], self.protocol(snippet)
                list = lists.setdefault((protocol, tuple(fitting)), f"shapes{len(lists)}")
                functions.append(f"@MainActor func call{number}<S: {protocol}>(_ shape: S.Type) async {{ {self.call(number, 'S')} }}")
                lines += [self.call(number, shape.name) for shape in self.specialized(number, fitting)]
                lines.append(f"for shape in {list} {{ await call{number}(shape) }}")
            else:
                lines.append(self.call(number, snippet.shape.name))
        found = [f"let {name}: [any {protocol}.Type] = [{', '.join(f'{shape.name}.self' for shape in fitting)}]" for (protocol, fitting), name in lists.items()]
        if self.context == "two parameters":
            found.append(f"let pairs: [(any Shape.Type, any Shape.Type)] = [{', '.join(f'({x.name}.self, {y.name}.self)' for x, y in pairs())}]")
        return "\n".join([*found, *functions, "@MainActor func everything() async {", *(f"    {line}" for line in lines), "}\n"])

    def protocol(self, snippet):
        return "HashableShape" if "hashable" in snippet.row.needs else "Shape"

    def warm(self):
        """Objects that outlive the snippets are there before they are counted."""
        return ["_ = kept.count"] if any("kept" in shape.make for shape in self.shapes()) else []

    def call(self, number, shape):
        snippet, context = self.snippets[number], contexts[self.context]
        called = context.call.format(shape=shape, name=f"snippet{number}")
        runs = f"{snippet.shape.name}<X, Y>" if self.context == "two parameters" else shape
        if snippet.is_async or self.context == "actor":
            return f"await runAsync({number}, {runs}.self) {{ try await {called} }}"
        return f"run({number}, {runs}.self) {{ {'try ' if self.context == 'typed errors' else ''}{called} }}"

    def specialized(self, number, fitting):
        """Shapes for which a client calls the function of a library as a whole program would, so that it is specialized."""
        if not contexts[self.context].is_library:
            return []
        return random.Random(f"{self.seed}|{self.snippets[number].identity}|calls").sample(fitting, 2)

    def statements(self, number):
        snippet = self.snippets[number]
        text = body(snippet, f"{snippet.shape.name}.", random.Random(f"{self.seed}|{snippet.identity}"))
        end = "await endAsync()" if snippet.is_async else "end()"
        warm = "".join(f"{line}\n" for line in self.warm() if number == 0)
        return f"{warm}if begin({number}, {snippet.shape.name}.self) {{\n    do {{\n{indented(text, 8)}\n    }}\n    {end}\n}}\n"

    def shapes(self):
        if self.context == "two parameters":
            return list(dict.fromkeys([snippet.shape for snippet in self.snippets] + [shape for pair in pairs() for shape in pair]))
        if contexts[self.context].is_generic:
            return [shape for shape in shapes if any(snippet.row.takes(shape) for snippet in self.snippets)]
        return list(dict.fromkeys(snippet.shape for snippet in self.snippets))

    def shape_types(self):
        return "\n".join(shape_type(shape, shape in forms) for shape in self.shapes()) + "\n"


def pairs():
    return [(shapes[i], shapes[(i * 7 + 3) % len(shapes)]) for i in range(len(shapes))]


def shape_type(shape, is_form):
    protocol = "HashableShape" if "hashable" in shape.tags else "Shape"
    parameters = "<X: Shape, Y: Shape>" if is_form else ""
    return f"""public enum {shape.name}{parameters}: {protocol} {{
    public typealias Element = {shape.type}
    @inline(__always) public static func make(_ i: Int) -> Element {{ {shape.make} }}
    @inlinable @inline(__always) public static func all(_ x: Element) -> Int {{ {shape.all} }}
    @inlinable @inline(__always) public static func one(_ x: Element) -> Int {{ {shape.one} }}
}}"""


def indented(text, spaces):
    return "\n".join(" " * spaces + line if line else line for line in text.splitlines())


def once(texts):
    """The texts as one file, which imports each module once."""
    lines = "\n".join(texts).splitlines()
    imports = dict.fromkeys(line for line in lines if re.match(r"(@_exported )?import ", line))
    return "\n".join([*imports, "", *(line for line in lines if line not in imports)]) + "\n"
