extension Operator {
    /// Every operator of the package. To join it is to add an entry to one of the files in `Operators`.
    package static let all: [Operator] = [
        creation, transforming, flattening, grouping, filtering, positions, combining, pairing, errorHandling, timing, sharing, resilience,
        aggregating, utility, traits, bridging, nodes,
    ].flatMap { $0 }
}

/// The table that every law runs over.
package let operatorTable = Operator.all.flatMap(\.laws)
