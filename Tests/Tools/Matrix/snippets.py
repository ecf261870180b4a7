"""The Swift of one snippet: a row over elements of one shape, in one context, with one read."""

import re
from dataclasses import dataclass

from row import Row
from shapes import Shape

reads = {"all": "all of an element", "one": "one field", "none": "nothing"}

sources = [
    "Observable<Element>.from(elements({n}, from: {i}))",
    "Observable<Int>.range(start: {i}, count: {n}).map {{ make($0) }}",
    "Observable<Element>.create {{ o in for i in {i}..<{i} + {n} {{ o.onNext(make(i)) }}; o.onCompleted(); return Disposables.create() }}",
    "Observable<Element>.deferred {{ .from(elements({n}, from: {i})) }}",
    "Observable<Element>.from(({i}..<{i} + {n}).map {{ make($0) }})",
    "Observable<Int>.from(Array({i}..<{i} + {n})).enumerated().map {{ make($0.element) }}",
]

ENDS = "onError: { _ in log.add(failed) }, onCompleted: { log.add(completed) }"
EVENT = "switch event { case .next(let x): log.add(READ); case .error: log.add(failed); case .completed: log.add(completed) }"
sinks = [
    ".subscribe(onNext: { x in log.add(READ) }, " + ENDS + ")",
    ".subscribe { event in " + EVENT + " }",
    ".subscribe(AnyObserver { event in " + EVENT + " })",
    ".map { x in READ }.subscribe(onNext: { log.add($0) }, " + ENDS + ")",
    ".subscribe { event in if let x = event.element { log.add(READ) } else { log.add(event.error == nil ? completed : failed) } }",
    ".do(onNext: { x in log.add(READ) }).subscribe(" + ENDS + ")",
    ".materialize().subscribe(onNext: { event in " + EVENT + " }, onError: { _ in log.add(-3) })",
    ".subscribe(with: log, onNext: { log, x in log.add(READ) }, onError: { log, _ in log.add(failed) }, onCompleted: { log in log.add(completed) })",
    ".enumerated().subscribe(onNext: { item in let x = item.element; log.add(READ) }, " + ENDS + ")",
    ".map { ($0, 1) }.filter { $0.1 == 1 }.subscribe(onNext: { item in let x = item.0; log.add(READ) }, " + ENDS + ")",
]
# In a box: the compiler crashes on a closure with a typed error whose parameter is a tuple without its type (Docs/Mistakes.md).
typed_sink = (
    ".map { Box(tag: 0, value: $0) }.map { box throws(Fault) -> Int in let x = box.value; let number = READ; if number == Int.min { throw Fault.a }; return number }"
    + sinks[0].replace("READ", "x"))


@dataclass(frozen=True)
class Snippet:
    context: str
    flags: str
    read: str
    row: Row
    shape: Shape | None  # None: a generic function, which runs with every shape that fits

    @property
    def identity(self):
        return f"{self.context}|{self.flags}|{self.read}|{self.row.title}|{self.shape.name if self.shape else '*'}"

    @property
    def is_async(self):
        return self.row.kind == "awaiting" or self.context == "async"


def body(snippet, scope, random):
    """The statements of a snippet; `scope` stands before the names of the shape."""
    row = snippet.row
    if row.kind != "chain":
        return finished(snippet, scope, ["let log = Log()", row.code, f"check(log.all, {row.expected})"], random)
    before, stream, after = heated(row, random, always=snippet.context == "disposal")
    if snippet.context == "disposal":
        return finished(snippet, scope, disposing(row, before, stream, after), random)
    if snippet.context == "async" and row.ends and not after and not re.search("TestScheduler|log", before + row.code):
        loop = f"do {{ for try await x in {stream}.values {{ log.add({row.read}) }}; log.add(completed) }} catch {{ log.add(failed) }}"
        return finished(snippet, scope, ["let log = Log()", before, loop, f"check(log.all, {row.expected})"], random)
    sink = (typed_sink if snippet.context == "typed errors" else random.choice(sinks)).replace("READ", row.read)
    lines = ["let log = Log()", before, f"let subscription = {stream}{sink}", after, "subscription.dispose()", f"check(log.all, {row.expected})"]
    if snippet.context == "typed errors":
        lines.append("if log.all.contains(-3) { throw .a }")
    return finished(snippet, scope, lines, random)


def heated(row, random, always):
    """What stands before, the stream, and what stands after it, with a subject for a leading source, sometimes or always."""
    leading = re.match(r"SOURCE\((\d+)(?:, (\d+))?\)", row.code)
    if not leading or row.cold or row.after or not (always or random.random() < 0.35):
        return row.before, row.code, row.after
    count, first = int(leading[1]), int(leading[2] or 0)
    subject = random.choice(["PublishSubject<Element>()", "PublishSubject<Element>()", "ReplaySubject<Element>(bufferSize: 1)"])
    emissions = f"for i in {first}..<{first + count} {{ hot.onNext(make(i)) }}; hot.onCompleted()"
    return "; ".join(filter(None, [row.before, f"let hot = {subject}"])), "hot" + row.code[leading.end():], emissions


def can_dispose(row):
    """Whether the elements of a row come after the subscription, so that it can be disposed within each."""
    return row.kind == "chain" and "log" not in row.before + row.code + row.after and bool(row.after or row.code.startswith("SOURCE") and not row.cold)


def disposing(row, before, stream, after):
    event = EVENT.replace("READ", row.read)
    return [
        f"let expected: [Int] = {row.expected}", "for stop in 1...max(1, expected.count) {", "let log = Log(), held = Held()", before,
        f"held.hold({stream}.subscribe {{ event in {event}; if log.all.count == stop {{ held.dispose() }} }})", after,
        "check(held.isLate ? Array(log.all.prefix(stop)) : log.all, Array(expected.prefix(stop)))", "}",
    ]


def finished(snippet, scope, lines, random):
    text = "\n".join(line for line in lines if line)
    text = re.sub(r"FAILING\(([^()]*)\)", r"SOURCE(\1).concat(Observable<Element>.error(Fault.a))", text)
    text = re.sub(r"SOURCE\((\d+)(?:, (\d+))?\)", lambda found: source(int(found[1]), int(found[2] or 0), random), text)
    return qualified(text, scope, snippet.read)


def source(count, first, random):
    if 0 < count < 5 and random.random() < 0.2:
        return f"Observable<Element>.of({', '.join(f'make({first + i})' for i in range(count))})"
    return random.choice(sources).format(n=count, i=first)


def qualified(text, scope, read):
    """The names of the shape, with its scope, and the functions of the read for `key` and `keyed`."""
    for name, to in (("Element\\b", "Element"), ("make\\(", "make("), ("elements\\(", "elements("), ("key\\(", f"{read}("), ("keyed\\(", f"{read}Of(")):
        text = re.sub(rf"(?<![.\w]){name}", scope + to, text)
    return text
