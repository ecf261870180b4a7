import StreamsTesting

/// One operator, registered once, with the facts that the laws, the pictures, the fuzzer and the book of operators need.
public struct Operator: Sendable, CustomStringConvertible {
    /// Its names in full, `take(while:behavior:)`; repeated `_:` are written once, so that one name stands for every number of streams.
    /// The first is that of its page, the others are further forms of it.
    public let names: [String]
    /// The source file in which it is declared, `Filtering/TakeWhile`.
    public let file: String
    /// The question of a reader who looks for the operator; `nil` if it is not public, or a form of another operator.
    public let question: String?
    /// The names of the operator in other libraries.
    public let elsewhere: Names
    public let laws: [OperatorRow]
    public let pictures: [Picture]
    public let fuzzed: [FuzzOperator]
    /// The rows of the benchmarks that measure the operator.
    public let benchmarks: [String]
    /// The kinds of facts that the operator lacks, and the reasons.
    public let exceptions: [Facet.Kind: String]

    init(
        _ names: String..., in file: String, for question: String? = nil, elsewhere: Names = Names(),
        @FacetBuilder _ facets: () -> [Facet]
    ) {
        (self.names, self.file, self.question, self.elsewhere) = (names, file, question, elsewhere)
        var (laws, pictures, fuzzed, exceptions): ([OperatorRow], [Picture], [FuzzOperator], [Facet.Kind: String]) = ([], [], [], [:])
        var benchmarks: [String] = []
        for facet in facets() {
            switch facet {
            case .law(var row):
                row.name = Self.title(names[0], row.name)
                laws.append(row)
            case .picture(var picture):
                picture.name = Self.title(names[0], picture.name)
                pictures.append(picture)
            case .fuzz(let fuzz): fuzzed.append(fuzz)
            case .benchmarks(let names): benchmarks += names
            case .without(let kinds, let reason): for kind in kinds { exceptions[kind] = reason }
            }
        }
        (self.laws, self.pictures, self.fuzzed, self.exceptions) = (laws, pictures, fuzzed, exceptions)
        self.benchmarks = benchmarks
    }

    /// The chapter of the book: the folder of its file.
    public var chapter: String { String(file.prefix { $0 != "/" }) }

    public var description: String { "\(file): \(names[0])" }

    /// The kinds of facets that it has.
    public var kinds: Set<Facet.Kind> {
        let counts: [Facet.Kind: Int] = [.law: laws.count, .picture: pictures.count, .fuzz: fuzzed.count]
        return Set(counts.filter { $0.value > 0 }.keys)
    }

    private static func title(_ name: String, _ use: String) -> String {
        use.isEmpty ? name : "\(name), \(use)"
    }
}

/// The names of an operator in other libraries, several separated by commas; `nil` if a library does not have it.
public struct Names: Sendable {
    /// A library, by its title.
    public enum Library: String, CaseIterable, Sendable {
        case rxSwift = "RxSwift", combine = "Combine", rxJava = "RxJava", rxJS = "RxJS", flow = "Kotlin Flow"
    }

    private let texts: [Library: String]
    /// What the operator does otherwise where it has a name.
    private let differences: [Library: [String: String]]

    init(
        rxSwift: String? = nil, combine: String? = nil, rxJava: String? = nil, rxJS: String? = nil, flow: String? = nil,
        but differences: [Library: [String: String]] = [:]
    ) {
        let all: [Library: String?] = [.rxSwift: rxSwift, .combine: combine, .rxJava: rxJava, .rxJS: rxJS, .flow: flow]
        texts = all.compactMapValues { $0 }
        self.differences = differences
    }

    /// The names as they are written.
    public func text(in library: Library) -> String? { texts[library] }

    /// The single names, with what is different beside the name.
    public func names(in library: Library) -> [(name: String, difference: String?)] {
        Self.split(texts[library] ?? "").map { ($0, differences[library]?[$0]) }
    }

    /// The names that have a difference and are none of the operator's.
    public var misnamed: [String] {
        differences.flatMap { library, texts in Set(texts.keys).subtracting(names(in: library).map(\.name)) }
    }

    /// At the commas outside of parentheses.
    private static func split(_ names: String) -> [String] {
        var depth = 0
        var parts = [""]
        for character in names {
            if "({".contains(character) { depth += 1 }
            if ")}".contains(character) { depth -= 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.map { String($0.trimmingPrefix(" ")) }.filter { !$0.isEmpty }
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
