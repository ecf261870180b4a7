"""The shapes of elements: how an element of each type is made, and how all of it or one field of it is read.

`one` is what a client reads that looks at one field only: the optimizer then sees reads of a part of the memory of the element, which is
another program than reads of all of it. A shape without fields is read as a whole.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    name: str
    type: str
    make: str
    all: str
    one: str
    tags: frozenset

    @property
    def has_fields(self):
        return self.one != self.all


shapes = []


def shape(name, type, make, all, one=None, tags=""):
    """`tags`: hashable; optional; nominal: only a value of the type can be cast to it. A tuple is known by its type."""
    shapes.append(Shape(name, type, make, all, one or all, frozenset(tags.split() + ["tuple"] * type.startswith("("))))


THIRD = "i % 3 == 2 ? nil : "  # Optionals are nil for every third number.

# Of the standard library.
shape("Integer", "Int", "i &* 7 &+ 1", "x", tags="hashable nominal")
shape("Byte", "UInt8", "UInt8(truncatingIfNeeded: i &* 3 &+ 1)", "Int(x)", tags="hashable nominal")
shape("Truth", "Bool", "i % 2 == 0", "x ? 1 : 0", tags="hashable nominal")
shape("Fraction", "Double", "Double(i) + 0.5", "Int(x * 2)", tags="hashable nominal")
shape("ShortText", "String", '"s\\(i)"', "digest(x)", "x.utf8.count", "hashable nominal")
shape("LongText", "String", '"a text that is long enough to be allocated \\(i)"', "digest(x)", "x.utf8.count", "hashable nominal")
shape("Letter", "Character", '[Character("a"), "\u00e9", "\U0001F468\u200d\U0001F469\u200d\U0001F467", "z"][i % 4]', "digest(String(x))", tags="hashable nominal")
shape("PartOfText", "Substring", '"a text of which a part is taken \\(i)".dropFirst(3)', "digest(String(x))", "x.utf8.count", "hashable nominal")
shape("Span", "Range<Int>", "i..<(i &+ 5)", "x.lowerBound &+ x.count", "x.lowerBound", "hashable nominal")
shape("Time", "Duration", ".milliseconds(i &* 5)", "Int(x / .milliseconds(1))", tags="hashable nominal")
shape("Numbers", "[Int]", "[i, i &+ 1, i &+ 2]", "x.reduce(0, &+)", "x.count", "hashable nominal")
shape("Objects", "[Counted]", "[Counted(i), Counted(i &+ 1)]", "x.reduce(0) { $0 &+ $1.number }", "x.count", "hashable nominal")
shape("Table", "[String: Counted]", '["k": Counted(i), "l": Counted(i &+ 2)]', '(x["k"]?.number ?? -1) &+ (x["l"]?.number ?? -1) &* 10', "x.count", "hashable nominal")
shape("Bytes", "Data", "Data(repeating: UInt8(truncatingIfNeeded: i), count: i % 2 == 0 ? 4 : 40)", "x.reduce(0) { $0 &+ Int($1) } &+ x.count", "x.count", "hashable nominal")
shape("Vector", "SIMD4<Float>", "SIMD4<Float>(Float(i), 1, 2, 3)", "Int(x.x) &+ Int(x.w)", "Int(x.x)", "hashable nominal")
shape("Outcome", "Result<Int, Fault>", "i % 3 == 2 ? .failure(.b(i)) : .success(i)",
      "{ switch x { case .success(let n): n; case .failure(.b(let n)): n &+ 100; default: -8 } }()", "{ if case .success = x { 1 } else { 2 } }()", "hashable nominal")
shape("OutcomeOfFields", "Result<ThreeFields, any Error>",
      'i % 3 == 2 ? .failure(Fault.b(i)) : .success(ThreeFields(a: i, text: "a result of some length \\(i)", object: Counted(i)))',
      "{ switch x { case .success(let s): s.a &+ digest(s.text) &+ s.object.number; case .failure: 5 } }()", "(try? x.get())?.a ?? 5", "nominal")
shape("InlineObjects", "InlineArray<3, Counted>", "[Counted(i), Counted(i &+ 1), Counted(i &+ 2)]", "x[0].number &+ x[2].number &* 10", "x[1].number")

# Structs.
shape("Empty", "NoFields", "NoFields()", "{ _ = x; return 4 }()", tags="hashable nominal")
shape("Nothing", "Void", "()", "{ _ = x; return 6 }()")
shape("Struct1", "OneField", "OneField(a: i &* 9)", "x.a", tags="hashable nominal")
shape("Struct2", "TwoFields", "TwoFields(a: i, b: 7)", "x.a &+ Int(x.b)", "x.a", "hashable nominal")
shape("Struct3Numbers", "ThreeNumbers", "ThreeNumbers(a: 1, b: Double(i), c: Int32(i))", "Int(x.a) &+ Int(x.b) &* 10 &+ Int(x.c)", "Int(x.c)", "hashable nominal")
shape("Struct3", "ThreeFields", 'ThreeFields(a: i, text: "the text of a struct of three \\(i)", object: Counted(i))',
      "x.a &+ digest(x.text) &+ x.object.number", "x.a", "hashable nominal")
shape("Struct5", "FiveFields", 'FiveFields(a: 3, b: Double(i), text: "x\\(i)", c: Int32(i), object: Counted(i))',
      "Int(x.a) &+ Int(x.b) &+ digest(x.text) &+ Int(x.c) &* 5 &+ x.object.number", "Int(x.c)", "hashable nominal")
shape("Struct9", "NineFields", 'NineFields(a: 1, b: 2, c: 3, d: i, e: 4, text: "y\\(i)", f: true, object: i % 2 == 0 ? nil : Counted(i), g: 5)',
      "Int(x.a) &+ Int(x.b) &+ Int(x.c) &+ x.d &* 7 &+ Int(x.e) &+ digest(x.text) &+ (x.f ? 1 : 0) &+ (x.object?.number ?? 50) &+ Int(x.g)", "x.d", "hashable nominal")
shape("StructOfObjects", "TwoObjects", "TwoObjects(first: Counted(i), second: Counted(i &+ 1))", "x.first.number &+ x.second.number &* 10", "x.second.number", "hashable nominal")
shape("Struct128", "Bytes128", "Bytes128(i)", "x.a &+ x.c &* 3 &+ x.p", "x.c", "hashable nominal")
shape("Struct128Object", "Bytes128WithObject", "Bytes128WithObject(i)", "x.a &+ x.c &* 3 &+ x.o &+ x.object.number", "x.c", "hashable nominal")
shape("Struct1160", "Bytes1160", "Bytes1160(i)", "x.a.a &+ x.e.p &* 3 &+ x.i.h &+ x.object.number", "x.e.p", "hashable nominal")
shape("WeakReference", "Weak", "Weak(kept[i & 63], i)", "(x.object?.number ?? -9) &+ x.number &* 10", "x.number", "nominal")
shape("UnownedReference", "Unowned", "Unowned(kept[i & 63], i)", "x.object.number &+ x.number &* 10", "x.number", "nominal")
shape("Pointer", "Pointing", "Pointing(pointer: UnsafePointer(pointed + (i & 31)), number: i)", "x.pointer.pointee &+ x.number", "x.number", "hashable nominal")

# Tuples.
shape("Tuple2", "(Int, String)", '(i, "t\\(i)")', "x.0 &+ digest(x.1)", "x.0")
shape("Tuple2Object", "(Counted, Int)", "(Counted(i), i)", "x.0.number &+ x.1 &* 10", "x.1")
shape("Tuple3", "(UInt8, Counted, String)", '(3, Counted(i), "a longer text in a tuple \\(i)")', "Int(x.0) &+ x.1.number &+ digest(x.2)", "x.1.number")
shape("TupleLabelled", "(index: Int, value: Counted)", "(index: i, value: Counted(i))", "x.index &+ x.value.number &* 10", "x.index")
shape("TupleNested", "((Int, Counted), (UInt8, (text: String, number: Double)))", '((i, Counted(i)), (4, (text: "n\\(i)", number: 2)))',
      "x.0.0 &+ x.0.1.number &+ Int(x.1.0) &+ digest(x.1.1.text) &+ Int(x.1.1.number)", "x.0.0")

# Optionals.
shape("OptionalInteger", "Int?", THIRD + "i", "x.map { $0 &+ 5 } ?? 3", "x == nil ? 1 : 2", "hashable optional")
shape("OptionalText", "String?", THIRD + '"some text that is long enough \\(i)"', "x.map { digest($0) } ?? 3", "x == nil ? 1 : 2", "hashable optional")
shape("OptionalObject", "Counted?", THIRD + "Counted(i)", "x?.number ?? 77", "x == nil ? 1 : 2", "hashable optional")
shape("OptionalStruct3", "ThreeFields?", THIRD + 'ThreeFields(a: i, text: "optional \\(i)", object: Counted(i))',
      "x.map { $0.a &+ digest($0.text) &+ $0.object.number } ?? 9", "x?.a ?? 9", "hashable optional")
shape("OptionalStruct9", "NineFields?", THIRD + 'NineFields(a: 1, b: 2, c: 3, d: i, e: 4, text: "y\\(i)", f: true, object: Counted(i), g: 5)',
      "x.map { $0.d &+ digest($0.text) &+ ($0.object?.number ?? 50) &+ Int($0.g) } ?? 9", "x?.d ?? 9", "hashable optional")
shape("OptionalTuple", "(Counted, Int)?", THIRD + "(Counted(i), i)", "x.map { $0.0.number &+ $0.1 &* 10 } ?? 31", "x?.1 ?? 31", "optional")
shape("OptionalOptional", "Int??", "i % 3 == 0 ? .some(.none) : i % 3 == 1 ? .none : .some(.some(i))",
      "{ switch x { case .none: 11; case .some(.none): 12; case .some(.some(let n)): n &+ 20 } }()", "x == nil ? 1 : 2", "hashable optional")
shape("OptionalOptionalObject", "Counted??", "i % 3 == 2 ? .none : i % 3 == 1 ? .some(.none) : .some(.some(Counted(i)))",
      "{ switch x { case .none: 71; case .some(.none): 72; case .some(.some(let c)): c.number } }()", "x == nil ? 1 : 2", "hashable optional")

# Enums.
shape("Enum", "FourCases", "[FourCases.a, .b, .c, .d][i % 4]", "{ switch x { case .a: 1; case .b: 2; case .c: 3; case .d: 4 } }()", tags="hashable nominal")
shape("EnumOfOne", "OnePayload", ".only(i &* 5)", "{ switch x { case .only(let n): n } }()", tags="hashable nominal")
shape("EnumOfObject", "ObjectPayload", "i % 3 == 2 ? .empty : .object(Counted(i))", "{ switch x { case .empty: 9; case .object(let c): c.number &+ 10 } }()",
      "{ if case .empty = x { 1 } else { 2 } }()", "hashable nominal")
shape("EnumOfSeveral", "SeveralPayloads",
      '[SeveralPayloads.number(i), .text("text \\(i) that is longer than fifteen"), .object(Counted(i), 2), .empty, .last(3, Counted(i))][i % 5]',
      "{ switch x { case .number(let n): n &+ 1; case .text(let s): digest(s); case .object(let c, let d): c.number &+ Int(d); case .empty: 8; "
      "case .last(let b, let c): c.number &+ Int(b) &* 100 } }()", "{ if case .object(_, let d) = x { Int(d) } else { 5 } }()", "hashable nominal")
shape("EnumIndirect", "Tree", "i % 3 == 2 ? .leaf(i) : .node(.node(.leaf(i), Counted(i)), Counted(i &+ 1))",
      "{ switch x { case .leaf(let n): n; case .node(.node(.leaf(let n), let c), let e): n &+ c.number &* 10 &+ e.number &* 100; default: 0 } }()",
      "{ if case .node(_, let c) = x { c.number } else { 5 } }()", "hashable nominal")

# Classes, existentials, functions, metatypes.
shape("Object", "Counted", "Counted(i)", "x.number", tags="hashable nominal")
shape("Subclass", "Animal", "i % 2 == 0 ? Animal(i) : Cat(i) as Animal", "x.sound()", tags="nominal")
shape("AnyNumbered", "any Numbered",
      'i % 3 == 0 ? SmallNumbered(number: i) as any Numbered : i % 3 == 1 ? LargeNumbered(number: i, a: 1, text: "p", object: Counted(i), more: "q") as any Numbered '
      ": Counted(i) as any Numbered", "x.number &+ 1")
shape("AnyError", "any Error", 'i % 2 == 0 ? Fault.b(i) as any Error : LargeFault(number: i, text: "error", object: Counted(i))',
      "{ if let e = x as? LargeFault { return e.number &+ e.object.number &* 10 }; if case Fault.b(let n)? = x as? Fault { return n }; return -7 }()")
shape("AnySendable", "any Sendable", 'i % 2 == 0 ? i as any Sendable : ThreeFields(a: i, text: "any value \\(i)", object: Counted(i))',
      "{ if let n = x as? Int { return n }; if let s = x as? ThreeFields { return s.a &+ s.object.number &* 10 }; return -6 }()")
shape("Closure", "@Sendable () -> Int", "{ let c = Counted(i); return { c.number &* 3 } }()", "x()")
shape("ClosureOfTwo", "@Sendable (Int, String) -> Counted", "{ let c = Counted(i); return { _, _ in c } }()", 'x(1, "a").number')
shape("Metatype", "any Numbered.Type", "i % 2 == 0 ? SmallNumbered.self as any Numbered.Type : LargeNumbered.self as any Numbered.Type", "x == SmallNumbered.self ? 1 : 2")

# Generic structs.
shape("GenericOfObject", "Box<Counted>", "Box(tag: 1, value: Counted(i))", "x.value.number &+ Int(x.tag)", "x.value.number", "hashable nominal")
shape("GenericOfTuple", "Box<(Int, Counted)>", "Box(tag: 2, value: (i, Counted(i)))", "x.value.0 &+ x.value.1.number &+ Int(x.tag)", "x.value.0", "nominal")
shape("GenericOfPack", "Packed<Int, Counted, String>", 'Packed(values: (i, Counted(i), "z\\(i)"), number: i)',
      "x.values.0 &+ x.values.1.number &+ digest(x.values.2) &+ x.number", "x.number")

# Types that are made of two parameters of generic code: their types, without the conformance, for X and Y.
forms = []


def form(name, type, make, all, one, tags=""):
    forms.append(Shape(name, type, make, all, one, frozenset(tags.split() + ["tuple"] * type.startswith("("))))


form("PairOf", "(X.Element, Y.Element)", "(X.make(i), Y.make(i &+ 1))", "pair(X.all(x.0), Y.all(x.1))", "X.all(x.0)")
form("LabelledPairOf", "(first: X.Element, second: Y.Element)", "(first: X.make(i), second: Y.make(i &+ 1))", "pair(X.all(x.first), Y.all(x.second))", "Y.all(x.second)")
form("OptionalPairOf", "(X.Element, Y.Element)?", THIRD + "(X.make(i), Y.make(i &+ 1))", "x.map { pair(X.all($0.0), Y.all($0.1)) } ?? 13", "x.map { X.all($0.0) } ?? 13", "optional")
form("NestedPairOf", "((X.Element, Int), (b: UInt8, y: Y.Element?))", "((X.make(i), i), (b: 3, y: i % 2 == 0 ? nil : Y.make(i)))",
     "pair(X.all(x.0.0) &+ x.0.1, x.1.y.map { Y.all($0) } ?? Int(x.1.b))", "x.0.1")
form("BoxOf", "Box<(X.Element, Y.Element)>", "Box(tag: 1, value: (X.make(i), Y.make(i &+ 1)))", "pair(X.all(x.value.0), Y.all(x.value.1))", "Int(x.tag)")
form("ListOf", "[(X.Element, Y.Element)]", "[(X.make(i), Y.make(i &+ 1)), (X.make(i &+ 1), Y.make(i))]", "x.reduce(0) { $0 &+ pair(X.all($1.0), Y.all($1.1)) }", "x.count")
form("ResultOf", "Result<(X.Element, Y.Element), Fault>", "i % 3 == 2 ? .failure(.a) : .success((X.make(i), Y.make(i &+ 1)))",
     "{ switch x { case .success(let v): pair(X.all(v.0), Y.all(v.1)); case .failure: 5 } }()", "{ if case .success(let v) = x { Y.all(v.1) } else { 5 } }()")
form("EventOf", "(event: Event<X.Element>, y: Y.Element)", "(event: i % 2 == 0 ? .next(X.make(i)) : .completed, y: Y.make(i))",
     "pair(x.event.element.map { X.all($0) } ?? 4, Y.all(x.y))", "Y.all(x.y)")
form("PackOf", "Packed<X.Element, Y.Element>", "Packed(values: (X.make(i), Y.make(i &+ 1)), number: i)", "pair(X.all(x.values.0), Y.all(x.values.1))", "x.number")
