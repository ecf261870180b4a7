import StreamsTesting

let combiningChapter = chapter {
    FuzzOperator("Observable.merge(%0, %1)") { parts in
        .merge(parts.up, parts.other)
    } reference: { walk in
        try walk.merging(2)
    }
    FuzzOperator("Observable.merge(%0, %1, %2)") { parts in
        .merge(parts.upstreams)
    } reference: { walk in
        try walk.merging(3)
    }
    FuzzOperator("Observable.merge(%0, %1, delayErrors: true)") { parts in
        .merge(parts.up, parts.other, delayErrors: true)
    } reference: { walk in
        try walk.merging(2, delayErrors: true)
    }
    FuzzOperator("%0.concat(%1)") { parts in
        parts.up.concat(parts.other)
    } reference: { walk in
        try walk.concatenating(2)
    }
    FuzzOperator("Observable.concat(%0, %1, %2, delayErrors: true)") { parts in
        .concat(parts.upstreams, delayErrors: true)
    } reference: { walk in
        try walk.concatenating(3, delayErrors: true)
    }
    FuzzOperator("%0.startWith(#0, #1)", 0...9, 0...9) { parts in
        parts.up.startWith(parts.number, parts.numbers[1])
    } reference: { walk in
        walk.next(walk.numbers[0])
        walk.next(walk.numbers[1])
        try walk.each { walk.next($0) }
    }
    FuzzOperator("%0.endWith(#0)", 0...9) { parts in
        parts.up.endWith(parts.number)
    } reference: { walk in
        try walk.each {
            walk.next($0)
        } completed: {
            walk.next(walk.numbers[0])
            walk.completed()
        }
    }
    FuzzOperator("%0.ifEmpty(default: #0)", 0...9) { parts in
        parts.up.ifEmpty(default: parts.number)
    } reference: { walk in
        var isEmpty = true
        try walk.each { element in
            isEmpty = false
            walk.next(element)
        } completed: {
            if isEmpty { walk.next(walk.numbers[0]) }
            walk.completed()
        }
    }
    FuzzOperator("%0.ifEmpty(switchTo: %1)") { parts in
        parts.up.ifEmpty(switchTo: parts.other)
    } reference: { walk in
        var isEmpty = true
        try walk.subscribe(0)
        try walk.run { input in
            switch input {
            case .next(let element, _):
                isEmpty = false
                walk.next(element)
            case .completed(from: 0) where isEmpty: try walk.subscribe(1)
            default: walk.passEnd(input)
            }
        }
    }
    FuzzOperator("Observable.amb([%0, %1])") { parts in
        .amb([parts.up, parts.other])
    } reference: { walk in
        var winner: Int?
        try walk.subscribe(0)
        try walk.subscribe(1)
        try walk.run { input in
            if winner == nil {
                winner = input.tag
                walk.dispose(1 - input.tag)
            }
            walk.pass(input)
        }
    }
    FuzzOperator("%0.sequenceEqual(%1).map { $0 ? 1 : 0 }") { parts in
        parts.up.sequenceEqual(parts.other).map { $0 ? 1 : 0 }
    } reference: { walk in
        var seen: [[Int]] = [[], []]
        var isDone = [false, false]
        try walk.subscribeAll(2)
        try walk.run { input in
            switch input {
            case .next(let element, let side): seen[side].append(element)
            case .completed(let side): isDone[side] = true
            default: return walk.passEnd(input)
            }
            let common = min(seen[0].count, seen[1].count)
            let isOdd = seen[0].prefix(common) != seen[1].prefix(common)
            let isLonger = (0...1).contains { isDone[$0] && seen[1 - $0].count > seen[$0].count }
            guard isOdd || isLonger || isDone == [true, true] else { return }
            walk.next(isOdd || isLonger ? 0 : 1)
            walk.completed()
        }
    }
}

extension Walk.Input {
    /// Where it comes from.
    var tag: Int {
        switch self {
        case .next(_, let tag), .error(_, let tag), .completed(let tag), .timer(let tag): tag
        }
    }
}

extension Walk {
    func subscribeAll(_ count: Int) throws {
        for place in 0..<count { try subscribe(place) }
    }

    func pass(_ input: Input) {
        if case .next(let element, _) = input { next(element) } else { passEnd(input) }
    }

    func passEnd(_ input: Input) {
        switch input {
        case .error(let name, _): error(name)
        case .completed: completed()
        case .next, .timer: break
        }
    }

    fileprivate func merging(_ count: Int, delayErrors: Bool = false) throws {
        var running = count
        var failure: String?
        try subscribeAll(count)
        try run { input in
            switch input {
            case .next(let element, _): return next(element)
            case .error(let name, _) where !delayErrors: return error(name)
            case .error(let name, _): failure = failure ?? name
            case .completed, .timer: break
            }
            running -= 1
            guard running == 0 else { return }
            if let failure { error(failure) } else { completed() }
        }
    }

    fileprivate func concatenating(_ count: Int, delayErrors: Bool = false) throws {
        var failure: String?
        try subscribe(0)
        try run { input in
            switch input {
            case .next(let element, _): return next(element)
            case .error(let name, _) where !delayErrors: return error(name)
            case .error(let name, _): failure = failure ?? name
            case .completed, .timer: break
            }
            if input.tag + 1 < count { return try subscribe(input.tag + 1) }
            if let failure { error(failure) } else { completed() }
        }
    }
}
