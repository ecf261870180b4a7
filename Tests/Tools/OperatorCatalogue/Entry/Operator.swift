import StreamsTesting

/// One operator, registered once: what the laws, the pictures, the fuzzer and the book of operators know of it.
package struct Operator: Sendable, CustomStringConvertible {
    /// Its names in full, `take(while:behavior:)`; repeated `_:` are written once, so that one name stands for every number of streams.
    /// The first is that of its page, the others are further forms of it.
    package let names: [String]
    /// The source file in which it is declared, `Filtering/TakeWhile`.
    package let file: String
    /// What somebody wants who looks for it; nil if it is not public or a form of another.
    package let question: String?
    /// What other libraries call it.
    package let elsewhere: Names
    package let laws: [OperatorRow]
    package let pictures: [Picture]
    package let fuzzed: [FuzzOperator]
    /// What it does not have, and why.
    package let exceptions: [Facet.Kind: String]

    init(
        _ names: String..., in file: String, for question: String? = nil, elsewhere: Names = Names(),
        @FacetBuilder _ facets: () -> [Facet]
    ) {
        (self.names, self.file, self.question, self.elsewhere) = (names, file, question, elsewhere)
        var (laws, pictures, fuzzed, exceptions): ([OperatorRow], [Picture], [FuzzOperator], [Facet.Kind: String]) = ([], [], [], [:])
        for facet in facets() {
            switch facet {
            case .law(let use, let traits, let apply): laws.append(OperatorRow(Self.title(names[0], use), traits, apply))
            case .picture(var picture):
                picture.name = Self.title(names[0], picture.name)
                pictures.append(picture)
            case .fuzz(let fuzz): fuzzed.append(fuzz)
            case .without(let kinds, let reason): for kind in kinds { exceptions[kind] = reason }
            }
        }
        (self.laws, self.pictures, self.fuzzed, self.exceptions) = (laws, pictures, fuzzed, exceptions)
    }

    /// The chapter of the book: the folder of its file.
    package var chapter: String { String(file.prefix { $0 != "/" }) }

    package var description: String { "\(file): \(names[0])" }

    /// The kinds of facets that it has.
    package var kinds: Set<Facet.Kind> {
        let counts: [Facet.Kind: Int] = [.law: laws.count, .picture: pictures.count, .fuzz: fuzzed.count]
        return Set(counts.filter { $0.value > 0 }.keys)
    }

    private static func title(_ name: String, _ use: String) -> String {
        use.isEmpty ? name : "\(name), \(use)"
    }
}

/// The names of an operator in other libraries; nil where a library does not have it.
package struct Names: Sendable {
    package let rxSwift: String?
    package let combine: String?
    package let rxJava: String?
    /// In Kotlin's `Flow`.
    package let flow: String?

    init(rxSwift: String? = nil, combine: String? = nil, rxJava: String? = nil, flow: String? = nil) {
        (self.rxSwift, self.combine, self.rxJava, self.flow) = (rxSwift, combine, rxJava, flow)
    }
}

/// Lists operators one after the other, each type-checked by itself.
@resultBuilder
enum OperatorBuilder {
    static func buildBlock(_ operators: Operator...) -> [Operator] { operators }
}

func operators(@OperatorBuilder _ build: () -> [Operator]) -> [Operator] {
    build()
}
