// A generic struct has a field behind a parameter pack, and generic code reads the field.
// wrong: -O

private struct Numbered<each Value> {
    #if MISTAKE
        var values: (repeat each Value)
        var number: Int
    #else
        var number: Int
        var values: (repeat each Value)
    #endif

    init(_ number: Int, _ values: repeat each Value) {
        self.number = number
        self.values = (repeat each values)
    }
}

private protocol Source {
    associatedtype Element
    static func make() -> Element
}

private enum Numbers: Source {
    static func make() -> Int { 1 }
}

private enum Texts: Source {
    static func make() -> String { "a text" }
}

@inline(never) private func apply<Input, Result>(_ input: Input, _ transform: (Input) -> Result) -> Result {
    transform(input)
}

private func number<X: Source, Y: Source>(_ x: X.Type, _ y: Y.Type) -> Int {
    apply(Numbered(3, X.make(), Y.make())) { $0.number }
}

@main private enum Program {
    static func main() {
        let sources: [any Source.Type] = [Numbers.self, Texts.self]
        for x in sources {
            for y in sources where number(x, y) != 3 { fatalError("not the number that was stored") }
        }
    }
}
