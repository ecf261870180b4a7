import StreamsTesting

extension Operator {
    /// Operators that give one answer about a complete stream.
    static let aggregating = operators {
        Operator(
            "reduce(_:accumulator:)", "reduce(_:accumulator:mapResult:)", "reduce(into:accumulator:)", in: "Aggregating/Reduce",
            for: "reduce all elements to one result",
            elsewhere: Names(rxSwift: "reduce", combine: "reduce", rxJava: "reduce", rxJS: "reduce", flow: "fold, reduce")
        ) {
            law { up in up.source.reduce(up.user.element(0)) { _, element in try up.user(element) } }
            law(as: "with a result") { up in
                up.source.reduce(
                    0, accumulator: { count, _ in try up.user(count + 1) }, mapResult: { try up.user(up.user.element($0), closure: 1) })
            }
            law(as: "in place") { up in up.source.reduce(into: up.user.element(0)) { result, element in result = try up.user(element) } }
            picture("--1--2--3--|", gives: "-----------(6|)") { up in up.numbers.reduce(0, accumulator: +) }
            fuzz(
                "%0.reduce(#0) { $0 &* 2 &+ $1 }", 0...9, build: { parts in parts.up.reduce(parts.number) { $0 &* 2 &+ $1 } },
                reference: { walk in try walk.collecting { [$0.reduce(walk.number) { $0 &* 2 &+ $1 }] } })
            fuzz(
                "%0.reduce(into: #0) { $0 = $0 &* 2 &+ $1 }", 0...9,
                build: { parts in parts.up.reduce(into: parts.number) { $0 = $0 &* 2 &+ $1 } },
                reference: { walk in try walk.collecting { [$0.reduce(walk.number) { $0 &* 2 &+ $1 }] } })
            fuzz("%0.reduce(0) { if $1 % 11 == #0 { throw TestError(\"reduce\") } else { $0 &+ $1 } }", 0...4) { parts in
                parts.up.reduce(0) { if $1 % 11 == parts.number { throw TestError("reduce") } else { $0 &+ $1 } }
            } reference: { walk in
                var sum = 0
                try walk.each { element in
                    if element % 11 == walk.number { walk.error("reduce") }
                    sum &+= element
                } completed: {
                    walk.next(sum)
                    walk.completed()
                }
            }
        }
        Operator(
            "toArray()", in: "Aggregating/Reduce", for: "collect all elements into an array",
            elsewhere: Names(rxSwift: "toArray", combine: "collect", rxJava: "toList", rxJS: "toArray", flow: "toList")
        ) {
            law { up in up.source.toArray().map { up.user.element($0.count) } }
            picture("--1--2--|", gives: "--------(a|)", where: ["a": "[1, 2]"]) { up in up.numbers.toArray() }
            fuzz("%0.toArray().map { $0.reduce(1) { $0 &* 3 &+ $1 } }") { parts in
                parts.up.toArray().map { $0.reduce(1) { $0 &* 3 &+ $1 } }
            } collecting: {
                [$0.reduce(1) { $0 &* 3 &+ $1 }]
            }
        }
        Operator("toSet()", in: "Aggregating/Collections", for: "collect all elements into a set", elsewhere: Names(flow: "toSet")) {
            law { up in up.source.toSet().map { up.user.element($0.count) } }
            picture("--1--2--1--|", gives: "-----------(2|)") { up in up.numbers.toSet().map(\.count) }
            fuzz("%0.toSet().map(\\.count)", build: { $0.up.toSet().map(\.count) }, collecting: { [Set($0).count] })
        }
        Operator(
            "toDictionary(keySelector:valueSelector:)", "toDictionary(keySelector:)", in: "Aggregating/Collections",
            for: "collect all elements into a dictionary",
            elsewhere: Names(rxJava: "toMap")
        ) {
            law { up in up.source.toDictionary { try up.user($0) }.map { up.user.element($0.count) } }
            picture("--1--2--3--|", gives: "-----------(x|)", where: ["x": "30"]) { up in
                up.numbers.toDictionary(keySelector: { $0 % 2 }, valueSelector: { $0 * 10 }).map { $0[1] ?? 0 }
            }
            fuzz(
                "%0.toDictionary { $0 % 5 }.map { $0[0] ?? -1 }", build: { parts in parts.up.toDictionary { $0 % 5 }.map { $0[0] ?? -1 } },
                collecting: { elements in [elements.last { $0 % 5 == 0 } ?? -1] })
        }
        Operator(
            "sorted(by:)", "sorted()", in: "Aggregating/Collections", for: "collect all elements into a sorted array",
            elsewhere: Names(
                rxJava: "toSortedList, sorted",
                but: [.rxJava: ["sorted": "emits the elements one by one"]])
        ) {
            law { up in up.source.sorted().map { up.user.element($0.count) } }
            picture("--1--3--2--|", gives: "-----------(a|)", where: ["a": "[3, 2, 1]"]) { up in up.numbers.sorted(by: >) }
            fuzz(
                "%0.sorted().flatMapIterable { $0 }", build: { parts in parts.up.sorted().flatMapIterable { $0 } },
                collecting: { $0.sorted() })
        }
        Operator(
            "count()", "count(where:)", in: "Aggregating/Numbers", for: "count the elements",
            elsewhere: Names(rxSwift: "count (RxSwiftExt)", combine: "count", rxJava: "count", rxJS: "count", flow: "count")
        ) {
            law { up in up.source.count().map(up.user.element) }
            law(as: "of those that satisfy a predicate") { up in
                up.source.count { try up.user($0.value > 1) }.map(up.user.element)
            }
            picture("--a--b--|", gives: "--------(2|)") { up in up.letters.count() }
            fuzz("%0.count()", build: { $0.up.count() }, collecting: { [$0.count] })
            fuzz(
                "%0.count { $0.isMultiple(of: 2) }", build: { $0.up.count { $0.isMultiple(of: 2) } },
                collecting: { [$0.count { $0.isMultiple(of: 2) }] })
        }
        Operator(
            "min(by:)", "min()", in: "Aggregating/Numbers", for: "find the smallest element", elsewhere: Names(combine: "min", rxJS: "min")
        ) {
            law { up in up.source.min() }
            picture("--1--3--2--|", gives: "-----------(3|)") { up in up.numbers.min { $0 % 3 < $1 % 3 } }
            fuzz("%0.min()", build: { $0.up.min() }, collecting: { $0.min().map { [$0] } ?? [] })
        }
        Operator(
            "max(by:)", "max()", in: "Aggregating/Numbers", for: "find the largest element", elsewhere: Names(combine: "max", rxJS: "max")
        ) {
            law { up in up.source.max { try up.user($0 < $1) } }
            picture("--1--3--2--|", gives: "-----------(2|)") { up in up.numbers.max { $0 % 3 < $1 % 3 } }
            fuzz("%0.max { $0 % 5 < $1 % 5 }") { parts in
                parts.up.max { $0 % 5 < $1 % 5 }
            } reference: { walk in
                // The last of several equal elements.
                try walk.collecting { elements in
                    let largest = elements.map { $0 % 5 }.max()
                    return elements.last { $0 % 5 == largest }.map { [$0] } ?? []
                }
            }
        }
        Operator("sum()", in: "Aggregating/Numbers", for: "sum the elements", elsewhere: Names(combine: "reduce(0, +)")) {
            law { up in up.source.map(\.value).sum().map(up.user.element) }
            picture("--1--2--|", gives: "--------(3|)") { up in up.numbers.sum() }
            fuzz(
                "%0.map { $0 % 1_000 }.sum()", build: { parts in parts.up.map { $0 % 1_000 }.sum() },
                collecting: { [$0.map { $0 % 1_000 }.reduce(0, +)] })
        }
        Operator("average()", in: "Aggregating/Numbers", for: "average the elements") {
            law { up in up.source.map(\.value).average().map { up.user.element(Int($0)) } }
            picture("--1--2--|", gives: "--------(x|)", where: ["x": "1.5"]) { up in up.numbers.average() }
            fuzz("%0.map { $0 % 1_000 }.average().map { Int($0) }") { parts in
                parts.up.map { $0 % 1_000 }.average().map { Int($0) }
            } collecting: { elements in
                elements.isEmpty ? [] : [Int(Double(elements.map { $0 % 1_000 }.reduce(0, +)) / Double(elements.count))]
            }
        }
        Operator(
            "all(_:)", in: "Aggregating/Predicates", for: "test whether all elements satisfy a predicate",
            elsewhere: Names(combine: "allSatisfy", rxJava: "all", rxJS: "every", flow: "all")
        ) {
            law(.endsEarly) { up in up.source.all { try up.user($0.value < 2) }.map { up.user.element($0 ? 1 : 0) } }
            picture("--1--2--3--4--|", gives: "--------(f|)", where: ["f": "false"]) { up in up.numbers.all { $0 < 3 } }
            fuzz("%0.all { $0 % 5 != #0 }.map { $0 ? 1 : 0 }", 0...4) { parts in
                parts.up.all { $0 % 5 != parts.number }.map { $0 ? 1 : 0 }
            } reference: { walk in
                try walk.answering(0, otherwise: 1) { $0 % 5 == walk.number }
            }
        }
        Operator(
            "any(_:)", in: "Aggregating/Predicates", for: "test whether any element satisfies a predicate",
            elsewhere: Names(combine: "contains(where:)", rxJava: "any", flow: "any")
        ) {
            law(.endsEarly) { up in up.source.any { try up.user($0.value == 2) }.map { up.user.element($0 ? 1 : 0) } }
            picture("--1--2--3--|", gives: "-----(t|)", where: ["t": "true"]) { up in up.numbers.any { $0 > 1 } }
            fuzz("%0.any { $0 % 5 == #0 }.map { $0 ? 1 : 0 }", 0...4) { parts in
                parts.up.any { $0 % 5 == parts.number }.map { $0 ? 1 : 0 }
            } reference: { walk in
                try walk.answering(1, otherwise: 0) { $0 % 5 == walk.number }
            }
        }
        Operator(
            "isEmpty()", in: "Aggregating/Predicates", for: "test whether a stream is empty",
            elsewhere: Names(rxJava: "isEmpty", rxJS: "isEmpty")
        ) {
            law(.endsEarly) { up in up.source.isEmpty().map { up.user.element($0 ? 1 : 0) } }
            picture("--1--2--|", gives: "--(f|)", where: ["f": "false"]) { up in up.numbers.isEmpty() }
            fuzz(
                "%0.isEmpty().map { $0 ? 1 : 0 }", build: { parts in parts.up.isEmpty().map { $0 ? 1 : 0 } },
                reference: { walk in try walk.answering(0, otherwise: 1) { _ in true } })
        }
        Operator(
            "contains(_:)", in: "Aggregating/Predicates", for: "test whether a stream contains an element",
            elsewhere: Names(combine: "contains", rxJava: "contains")
        ) {
            law(.endsEarly) { up in up.source.contains(up.user.element(2)).map { up.user.element($0 ? 1 : 0) } }
            picture("--1--2--3--|", gives: "-----(t|)", where: ["t": "true"]) { up in up.numbers.contains(2) }
            fuzz(
                "%0.contains(#0).map { $0 ? 1 : 0 }", 0...9, build: { parts in parts.up.contains(parts.number).map { $0 ? 1 : 0 } },
                reference: { walk in try walk.answering(1, otherwise: 0) { $0 == walk.number } })
        }
    }
}

extension Walk {
    /// Sends the result of `result` for all elements at the completion.
    func collecting(_ result: ([Int]) -> [Int]) throws {
        var elements: [Int] = []
        try each { element in
            elements.append(element)
        } completed: {
            for element in result(elements) { next(element) }
            completed()
        }
    }

    func answering(_ answer: Int, otherwise: Int, _ decides: (Int) -> Bool) throws {
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
