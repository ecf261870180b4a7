import OperatorCatalogue

/// Every operator of the fuzzer: the source of a case, and what the catalogue has.
let fuzzOperators = [source] + Operator.all.flatMap(\.fuzzed)

/// A source of the case, and the element that the body was made of.
let sourceKind = 0
let elementKind = kind(of: "Observable.just(^)")
/// The beginnings that a shrunk pipeline may have instead.
let emptyKind = kind(of: "Observable<Int>.empty()")
let neverKind = kind(of: "Observable<Int>.never()")

/// The reference knows the sources by itself.
private let source = FuzzOperator("source#0.asObservable()", [0...0], build: { $0.sources[$0.numbers[0]] }, reference: { _ in })

/// The place of the operator with this code.
func kind(of template: String) -> Int {
    guard let kind = fuzzOperators.firstIndex(where: { $0.template == template }) else {
        preconditionFailure("the catalogue has no \(template)")
    }
    return kind
}
