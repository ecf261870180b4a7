import Foundation

extension Operator {
    /// Every operator of the package. To add an operator, add an entry to one of the files in `Operators`.
    public static let all: [Operator] = [
        creation, transforming, flattening, grouping, filtering, positions, combining, pairing, errorHandling, timing, sharing, resilience,
        aggregating, utility, traits, bridging, nodes,
    ].flatMap { $0 }
}

/// The table over which every law runs: all uses of all operators, or of those that the environment names, `STREAMS_OPERATOR=debounce`.
public let operatorTable: [OperatorRow] = {
    guard let wanted = ProcessInfo.processInfo.environment["STREAMS_OPERATOR"] else { return Operator.all.flatMap(\.laws) }
    let named = Operator.all.filter { $0.names.contains { $0.prefix { $0 != "(" }.split(separator: ".").last == wanted[...] } }
    precondition(!named.isEmpty, "no operator is named \(wanted)")
    return named.flatMap(\.laws)
}()
