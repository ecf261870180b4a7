import StreamsTesting

let aggregatingChapter = chapter {
    FuzzOperator("%0.reduce(#0) { $0 &* 2 &+ $1 }", 0...9) { parts in
        parts.up.reduce(parts.number) { $0 &* 2 &+ $1 }
    } reference: { walk in
        try walk.collecting { [$0.reduce(walk.numbers[0]) { $0 &* 2 &+ $1 }] }
    }
    FuzzOperator("%0.reduce(0) { if $1 % 11 == #0 { throw TestError(\"reduce\") } else { $0 &+ $1 } }", 0...4) { parts in
        parts.up.reduce(0) { if $1 % 11 == parts.number { throw TestError("reduce") } else { $0 &+ $1 } }
    } reference: { walk in
        var sum = 0
        try walk.each { element in
            if element % 11 == walk.numbers[0] { walk.error("reduce") }
            sum &+= element
        } completed: {
            walk.next(sum)
            walk.completed()
        }
    }
    FuzzOperator("%0.count()") { parts in
        parts.up.count()
    } reference: { walk in
        try walk.collecting { [$0.count] }
    }
    FuzzOperator("%0.map { $0 % 1_000 }.sum()") { parts in
        parts.up.map { $0 % 1_000 }.sum()
    } reference: { walk in
        try walk.collecting { [$0.map { $0 % 1_000 }.reduce(0, +)] }
    }
    FuzzOperator("%0.min()") { parts in
        parts.up.min()
    } reference: { walk in
        try walk.collecting { $0.min().map { [$0] } ?? [] }
    }
    FuzzOperator("%0.max { $0 % 5 < $1 % 5 }") { parts in
        parts.up.max { $0 % 5 < $1 % 5 }
    } reference: { walk in
        // The last of several that are equal.
        try walk.collecting { elements in
            let largest = elements.map { $0 % 5 }.max()
            return elements.last { $0 % 5 == largest }.map { [$0] } ?? []
        }
    }
    FuzzOperator("%0.map { $0 % 1_000 }.average().map { Int($0) }") { parts in
        parts.up.map { $0 % 1_000 }.average().map { Int($0) }
    } reference: { walk in
        try walk.collecting { elements in
            elements.isEmpty ? [] : [Int(Double(elements.map { $0 % 1_000 }.reduce(0, +)) / Double(elements.count))]
        }
    }
    FuzzOperator("%0.toArray().map { $0.reduce(1) { $0 &* 3 &+ $1 } }") { parts in
        parts.up.toArray().map { $0.reduce(1) { $0 &* 3 &+ $1 } }
    } reference: { walk in
        try walk.collecting { [$0.reduce(1) { $0 &* 3 &+ $1 }] }
    }
    FuzzOperator("%0.toSet().map(\\.count)") { parts in
        parts.up.toSet().map(\.count)
    } reference: { walk in
        try walk.collecting { [Set($0).count] }
    }
    FuzzOperator("%0.sorted().flatMapIterable { $0 }") { parts in
        parts.up.sorted().flatMapIterable { $0 }
    } reference: { walk in
        try walk.collecting { $0.sorted() }
    }
    FuzzOperator("%0.all { $0 % 5 != #0 }.map { $0 ? 1 : 0 }", 0...4) { parts in
        parts.up.all { $0 % 5 != parts.number }.map { $0 ? 1 : 0 }
    } reference: { walk in
        try walk.answering(0, otherwise: 1) { $0 % 5 == walk.numbers[0] }
    }
    FuzzOperator("%0.any { $0 % 5 == #0 }.map { $0 ? 1 : 0 }", 0...4) { parts in
        parts.up.any { $0 % 5 == parts.number }.map { $0 ? 1 : 0 }
    } reference: { walk in
        try walk.answering(1, otherwise: 0) { $0 % 5 == walk.numbers[0] }
    }
    FuzzOperator("%0.contains(#0).map { $0 ? 1 : 0 }", 0...9) { parts in
        parts.up.contains(parts.number).map { $0 ? 1 : 0 }
    } reference: { walk in
        try walk.answering(1, otherwise: 0) { $0 == walk.numbers[0] }
    }
    FuzzOperator("%0.isEmpty().map { $0 ? 1 : 0 }") { parts in
        parts.up.isEmpty().map { $0 ? 1 : 0 }
    } reference: { walk in
        try walk.answering(0, otherwise: 1) { _ in true }
    }
}

extension Walk {
    /// Sends, at the completion, what `result` makes of all elements.
    fileprivate func collecting(_ result: ([Int]) -> [Int]) throws {
        var elements: [Int] = []
        try each { element in
            elements.append(element)
        } completed: {
            for element in result(elements) { next(element) }
            completed()
        }
    }

    fileprivate func answering(_ answer: Int, otherwise: Int, _ decides: (Int) -> Bool) throws {
        try each { element in
            guard decides(element) else { return }
            next(answer)
            completed()
        } completed: {
            next(otherwise)
            completed()
        }
    }
}
