import StreamsTesting

extension Operator {
    /// Operators that cut a stream into pieces. The fuzzer reads each piece as one number, in which the order of elements counts.
    static let grouping = operators {
        Operator(
            "buffer(timeSpan:count:scheduler:)", in: "Transforming/Buffer", for: "collect elements into arrays, by time and count",
            elsewhere: Names(rxSwift: "buffer", combine: "collect(.byTimeOrCount)", rxJava: "buffer", rxJS: "bufferTime")
        ) {
            law { up in up.source.buffer(timeSpan: .seconds(1), count: 2, scheduler: up.scheduler).compactMap(\.last) }
            picture("-1-2-3------|", gives: "---a---b---c(d|)", where: ["a": "[1, 2]", "b": "[3]", "c": "[]", "d": "[]"]) { up in
                up.numbers.buffer(timeSpan: .seconds(4), count: 2, scheduler: up.scheduler)
            }
            fuzz("%0.buffer(timeSpan: .seconds(#0), scheduler: scheduler).map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 1...9) { parts in
                parts.up.buffer(timeSpan: parts.time, scheduler: parts.scheduler).map(Piece.digest)
            } reference: { walk in
                try walk.cutting(every: walk.number, count: .max)
            }
            fuzz(
                "%0.buffer(timeSpan: .seconds(#0), count: #1, scheduler: scheduler).map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 1...9, 1...3
            ) { parts in
                parts.up.buffer(timeSpan: parts.time, count: parts.numbers[1], scheduler: parts.scheduler).map(Piece.digest)
            } reference: { walk in
                try walk.cutting(every: walk.number, count: walk.numbers[1])
            }
        }
        Operator(
            "buffer(boundary:)", in: "Transforming/Buffer", for: "collect elements into arrays, at the elements of another stream",
            elsewhere: Names(
                rxJava: "buffer", rxJS: "buffer",
                but: [
                    .rxJS: ["buffer": "an element that is its own boundary, as of one hot source, is still in the array; here in the next"]
                ])
        ) {
            law { up in up.source.buffer(boundary: up.other).compactMap(\.last) }
            picture("-1-2-3----|", "----x---x--", gives: "----a---b-(c|)", where: ["a": "[1, 2]", "b": "[3]", "c": "[]"]) { up in
                up.numbers.buffer(boundary: up.others)
            }
            fuzz(
                "%0.buffer(boundary: %1).map { $0.reduce(1) { $0 &* 3 &+ $1 } }",
                build: { $0.up.buffer(boundary: $0.other).map(Piece.digest) }, reference: { try $0.cuttingAtBoundary() })
        }
        Operator(
            "buffer(count:skip:)", in: "Transforming/Buffer", for: "collect elements into arrays, by count",
            elsewhere: Names(combine: "collect(_:)", rxJava: "buffer", rxJS: "bufferCount", flow: "chunked")
        ) {
            law { up in up.source.buffer(count: 2).compactMap(\.last) }
            law(.lossless, as: "of one") { up in up.source.buffer(count: 1, skip: 1).compactMap(\.last) }
            picture("-1-2-3-|", gives: "---a---(b|)", where: ["a": "[1, 2]", "b": "[3]"]) { up in up.numbers.buffer(count: 2) }
            fuzz("%0.buffer(count: #0).map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 0...3) { parts in
                parts.up.buffer(count: parts.number).map(Piece.digest)
            } reference: { walk in
                try walk.overlapping(count: walk.number, skip: walk.number)
            }
            fuzz("%0.buffer(count: #0, skip: #1).map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 0...3, 0...4) { parts in
                parts.up.buffer(count: parts.number, skip: parts.numbers[1]).map(Piece.digest)
            } reference: { walk in
                try walk.overlapping(count: walk.number, skip: walk.numbers[1])
            }
            measured(in: "buffer(count: 100), one element")
        }
        Operator(
            "window(timeSpan:count:scheduler:)", in: "Transforming/Window", for: "split a stream into windows, by time and count",
            elsewhere: Names(rxSwift: "window", rxJava: "window", rxJS: "windowTime")
        ) {
            law([.lossless, .hot, .dependsOnTime]) { up in
                up.source.window(timeSpan: .seconds(1), count: 2, scheduler: up.scheduler).concatMap { $0 }
            }
            picture("-1-2-3----|", gives: "----2---1-(0|)") { up in
                up.numbers.window(timeSpan: .seconds(4), scheduler: up.scheduler).flatMap { $0.count() }
            }
            fuzz(
                """
                %0.window(timeSpan: .seconds(#0), count: #1, scheduler: scheduler)
                    .flatMap { $0.toArray() }.map { $0.reduce(1) { $0 &* 3 &+ $1 } }
                """, 1...9, 1...3
            ) { parts in
                parts.up.window(timeSpan: parts.time, count: parts.numbers[1], scheduler: parts.scheduler)
                    .flatMap { $0.toArray() }.map(Piece.digest)
            } reference: { walk in
                try walk.cutting(every: walk.number, count: walk.numbers[1])
            }
            fuzz(passing: "%0.window(timeSpan: .seconds(#0), count: #1, scheduler: scheduler).concatMap { $0 }", 1...9, 1...3) { parts in
                parts.up.window(timeSpan: parts.time, count: parts.numbers[1], scheduler: parts.scheduler).concatMap { $0 }
            }
        }
        Operator(
            "window(boundary:)", in: "Transforming/Window", for: "split a stream into windows, at the elements of another stream",
            elsewhere: Names(
                rxJava: "window", rxJS: "window",
                but: [
                    .rxJS: [
                        "window": "an element that is its own boundary, as of one hot source, is still in the window; here in the next"
                    ]
                ])
        ) {
            law(.hot) { up in up.source.window(boundary: up.other).flatMap { $0 } }
            picture("-1-2-3----|", "----x-----|", gives: "----2-----(1|)") { up in
                up.numbers.window(boundary: up.others).flatMap { $0.count() }
            }
            fuzz("%0.window(boundary: %1).flatMap { $0.toArray() }.map { $0.reduce(1) { $0 &* 3 &+ $1 } }") { parts in
                parts.up.window(boundary: parts.other).flatMap { $0.toArray() }.map(Piece.digest)
            } reference: { walk in
                try walk.cuttingAtBoundary()
            }
        }
        Operator(
            "window(count:skip:)", in: "Transforming/Window", for: "split a stream into windows, by count",
            elsewhere: Names(
                rxJava: "window", rxJS: "windowCount",
                but: [.rxJS: ["windowCount": "a window begins before its first element, so the last can be empty"]])
        ) {
            law([.lossless, .hot]) { up in up.source.window(count: 2).flatMap { $0 } }
            picture("-1-2-3-|", gives: "---a---(b|)", where: ["a": "[1, 2]", "b": "[3]"]) { up in
                up.numbers.window(count: 2).flatMap { $0.toArray() }
            }
            fuzz(
                "%0.window(count: #0, skip: #1).flatMap { $0.toArray() }.map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 0...3, 0...4
            ) { parts in
                parts.up.window(count: parts.number, skip: parts.numbers[1]).flatMap { $0.toArray() }.map(Piece.digest)
            } reference: { walk in
                try walk.overlapping(count: walk.number, skip: walk.numbers[1])
            }
            fuzz("%0.window(count: #0, skip: #1).flatMap { $0 }", 0...3, 0...4) { parts in
                parts.up.window(count: parts.number, skip: parts.numbers[1]).flatMap { $0 }
            } reference: { walk in
                // Each element occurs once for every open window.
                let (count, skip) = (max(1, walk.number), max(1, walk.numbers[1]))
                var index = 0
                try walk.each { element in
                    for begin in stride(from: 0, through: index, by: skip) where index < begin + count { walk.next(element) }
                    index += 1
                }
            }
        }
        Operator(
            "groupBy(bufferSize:keySelector:)", in: "Transforming/GroupBy", for: "group the elements by a key",
            elsewhere: Names(
                rxSwift: "groupBy", rxJava: "groupBy", rxJS: "groupBy",
                but: [.rxJava: ["groupBy": "a group keeps its elements until it is subscribed to: give a `bufferSize`"]])
        ) {
            law(.hot) { up in up.source.groupBy { try up.user($0.value % 2) }.flatMap { $0 } }
            law([.lossless, .hot], as: "with a buffer") { up in up.source.groupBy(bufferSize: 1) { _ in try up.user(0) }.flatMap { $0 } }
            picture("-1-2-3---|", gives: "---------(ab|)", where: ["a": "[1, 3]", "b": "[2]"]) { up in
                up.numbers.groupBy { $0 % 2 }.flatMap { group in group.toArray() }
            }
            fuzz("%0.groupBy { $0 & 1 }.flatMap { group in group.scan(group.key) { $0 &+ $1 } }") { parts in
                parts.up.groupBy { $0 & 1 }.flatMap { group in group.scan(group.key) { $0 &+ $1 } }
            } reference: { walk in
                var sums = [0, 1]
                try walk.each { element in
                    sums[element & 1] &+= element
                    walk.next(sums[element & 1])
                }
            }
            fuzz("%0.groupBy { $0 & 1 }.flatMap { $0.toArray() }.map { $0.reduce(1) { $0 &* 3 &+ $1 } }") { parts in
                parts.up.groupBy { $0 & 1 }.flatMap { $0.toArray() }.map(Piece.digest)
            } reference: { walk in
                var groups: [[Int]] = []
                try walk.each { element in
                    if let place = groups.firstIndex(where: { $0[0] & 1 == element & 1 }) {
                        groups[place].append(element)
                    } else {
                        groups.append([element])
                    }
                } completed: {
                    for group in groups { walk.next(Piece.digest(group)) }
                    walk.completed()
                }
            }
            fuzz("%0.groupBy { if $0 % 11 == #0 { throw TestError(\"key\") } else { $0 % 3 } }.flatMap { $0.take(2) }", 0...4) { parts in
                parts.up.groupBy { if $0 % 11 == parts.number { throw TestError("key") } else { $0 % 3 } }.flatMap { $0.take(2) }
            } reference: { walk in
                var counts: [Int: Int] = [:]
                try walk.each { element in
                    if element % 11 == walk.number { return walk.error("key") }
                    counts[element % 3, default: 0] += 1
                    if counts[element % 3, default: 0] <= 2 { walk.next(element) }
                }
            }
            // The group without a subscriber keeps its last elements for later.
            fuzz("%0.groupBy(bufferSize: #0) { $0 & 1 }.concatMap { $0 }", 0...2) { parts in
                parts.up.groupBy(bufferSize: parts.number) { $0 & 1 }.concatMap { $0 }
            } reference: { walk in
                var first: Int?
                var others: [Int] = []
                try walk.each { element in
                    first = first ?? element & 1
                    if element & 1 == first { walk.next(element) } else { others.append(element) }
                } completed: {
                    for element in others.suffix(walk.number) { walk.next(element) }
                    walk.completed()
                }
            }
            measured(in: "groupBy, 100 keys, one element")
        }
    }
}

/// A piece as one number.
private enum Piece {
    @Sendable
    static func digest(_ elements: [Int]) -> Int {
        elements.reduce(1) { $0 &* 3 &+ $1 }
    }
}

extension Walk {
    func overlapping(count: Int, skip: Int) throws {
        let (count, skip) = (max(1, count), max(1, skip))
        var elements: [Int] = []
        var begin = 0
        try each { element in
            elements.append(element)
            guard elements.count == begin + count else { return }
            next(Piece.digest(Array(elements[begin...])))
            begin += skip
        } completed: {
            while begin < elements.count {
                next(Piece.digest(Array(elements[begin...])))
                begin += skip
            }
            completed()
        }
    }

    func cutting(every span: Int, count: Int) throws {
        var piece: [Int] = []
        func cut() {
            restart(1, after: span)
            next(Piece.digest(piece))
            piece = []
        }
        timer(1, after: span)
        try subscribe()
        try run { input in
            switch input {
            case .next(let element, _):
                piece.append(element)
                if piece.count == count { cut() }
            case .timer: cut()
            case .error: passEnd(input)
            case .completed:
                next(Piece.digest(piece))
                completed()
            }
        }
    }

    func cuttingAtBoundary() throws {
        var piece: [Int] = []
        try subscribe(1)
        try subscribe(0)
        try run { input in
            switch input {
            case .next(let element, from: 0): piece.append(element)
            case .next:
                next(Piece.digest(piece))
                piece = []
            case .completed(from: 0):
                next(Piece.digest(piece))
                completed()
            case .error: passEnd(input)
            case .completed, .timer: break
            }
        }
    }
}
