import StreamsTesting

/// The operators that cut a stream into pieces: a piece becomes one number, in which the order of its elements counts.
let piecesChapter = chapter {
    FuzzOperator("%0.buffer(count: #0).map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 0...3) { parts in
        parts.up.buffer(count: parts.number).map(Piece.digest)
    } reference: { walk in
        try walk.overlapping(count: walk.numbers[0], skip: walk.numbers[0])
    }
    FuzzOperator("%0.buffer(count: #0, skip: #1).map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 0...3, 0...4) { parts in
        parts.up.buffer(count: parts.number, skip: parts.numbers[1]).map(Piece.digest)
    } reference: { walk in
        try walk.overlapping(count: walk.numbers[0], skip: walk.numbers[1])
    }
    FuzzOperator("%0.buffer(timeSpan: .seconds(#0), scheduler: scheduler).map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 1...9) { parts in
        parts.up.buffer(timeSpan: parts.time, scheduler: parts.scheduler).map(Piece.digest)
    } reference: { walk in
        try walk.cutting(every: walk.numbers[0], count: .max)
    }
    FuzzOperator(
        "%0.buffer(timeSpan: .seconds(#0), count: #1, scheduler: scheduler).map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 1...9, 1...3
    ) { parts in
        parts.up.buffer(timeSpan: parts.time, count: parts.numbers[1], scheduler: parts.scheduler).map(Piece.digest)
    } reference: { walk in
        try walk.cutting(every: walk.numbers[0], count: walk.numbers[1])
    }
    FuzzOperator("%0.buffer(boundary: %1).map { $0.reduce(1) { $0 &* 3 &+ $1 } }") { parts in
        parts.up.buffer(boundary: parts.other).map(Piece.digest)
    } reference: { walk in
        try walk.cuttingAtBoundary()
    }
    FuzzOperator(
        "%0.window(count: #0, skip: #1).flatMap { $0.toArray() }.map { $0.reduce(1) { $0 &* 3 &+ $1 } }", 0...3, 0...4
    ) { parts in
        parts.up.window(count: parts.number, skip: parts.numbers[1]).flatMap { $0.toArray() }.map(Piece.digest)
    } reference: { walk in
        try walk.overlapping(count: walk.numbers[0], skip: walk.numbers[1])
    }
    FuzzOperator(
        """
        %0.window(timeSpan: .seconds(#0), count: #1, scheduler: scheduler)
            .flatMap { $0.toArray() }.map { $0.reduce(1) { $0 &* 3 &+ $1 } }
        """, 1...9, 1...3
    ) { parts in
        parts.up.window(timeSpan: parts.time, count: parts.numbers[1], scheduler: parts.scheduler)
            .flatMap { $0.toArray() }.map(Piece.digest)
    } reference: { walk in
        try walk.cutting(every: walk.numbers[0], count: walk.numbers[1])
    }
    FuzzOperator("%0.window(boundary: %1).flatMap { $0.toArray() }.map { $0.reduce(1) { $0 &* 3 &+ $1 } }") { parts in
        parts.up.window(boundary: parts.other).flatMap { $0.toArray() }.map(Piece.digest)
    } reference: { walk in
        try walk.cuttingAtBoundary()
    }
    FuzzOperator("%0.window(count: #0, skip: #1).flatMap { $0 }", 0...3, 0...4) { parts in
        parts.up.window(count: parts.number, skip: parts.numbers[1]).flatMap { $0 }
    } reference: { walk in
        // Each element once for every window that is open.
        let (count, skip) = (max(1, walk.numbers[0]), max(1, walk.numbers[1]))
        var index = 0
        try walk.each { element in
            for begin in stride(from: 0, through: index, by: skip) where index < begin + count { walk.next(element) }
            index += 1
        }
    }
    FuzzOperator("%0.groupBy { $0 & 1 }.flatMap { group in group.scan(group.key) { $0 &+ $1 } }") { parts in
        parts.up.groupBy { $0 & 1 }.flatMap { group in group.scan(group.key) { $0 &+ $1 } }
    } reference: { walk in
        var sums = [0, 1]
        try walk.each { element in
            sums[element & 1] &+= element
            walk.next(sums[element & 1])
        }
    }
    FuzzOperator("%0.groupBy { $0 & 1 }.flatMap { $0.toArray() }.map { $0.reduce(1) { $0 &* 3 &+ $1 } }") { parts in
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
    FuzzOperator("%0.groupBy { if $0 % 11 == #0 { throw TestError(\"key\") } else { $0 % 3 } }.flatMap { $0.take(2) }", 0...4) { parts in
        parts.up.groupBy { if $0 % 11 == parts.number { throw TestError("key") } else { $0 % 3 } }.flatMap { $0.take(2) }
    } reference: { walk in
        var counts: [Int: Int] = [:]
        try walk.each { element in
            if element % 11 == walk.numbers[0] { return walk.error("key") }
            counts[element % 3, default: 0] += 1
            if counts[element % 3, default: 0] <= 2 { walk.next(element) }
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
    fileprivate func overlapping(count: Int, skip: Int) throws {
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

    fileprivate func cutting(every span: Int, count: Int) throws {
        var piece: [Int] = []
        func cut() {
            cancel(1)
            timer(1, after: span)
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

    fileprivate func cuttingAtBoundary() throws {
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
