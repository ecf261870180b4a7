import StreamsTesting

let transformingChapter = chapter {
    FuzzOperator("%0.map { $0 &+ #0 }", 1...9) { parts in
        parts.up.map { $0 &+ parts.number }
    } reference: { walk in
        try walk.each { walk.next($0 &+ walk.numbers[0]) }
    }
    FuzzOperator("%0.map { if $0 % 11 == #0 { throw TestError(\"map\") } else { $0 &* 3 } }", 0...4) { parts in
        parts.up.map { if $0 % 11 == parts.number { throw TestError("map") } else { $0 &* 3 } }
    } reference: { walk in
        try walk.each { element in
            if element % 11 == walk.numbers[0] { walk.error("map") } else { walk.next(element &* 3) }
        }
    }
    FuzzOperator("%0.mapTo(#0)", 0...9) { parts in
        parts.up.mapTo(parts.number)
    } reference: { walk in
        try walk.each { _ in walk.next(walk.numbers[0]) }
    }
    FuzzOperator("%0.compactMap { $0 % 3 == #0 ? nil : $0 &+ 1 }", 0...2) { parts in
        parts.up.compactMap { $0 % 3 == parts.number ? nil : $0 &+ 1 }
    } reference: { walk in
        try walk.each { if $0 % 3 != walk.numbers[0] { walk.next($0 &+ 1) } }
    }
    FuzzOperator("%0.scan(#0) { $0 &* 2 &+ $1 }", 0...9) { parts in
        parts.up.scan(parts.number) { $0 &* 2 &+ $1 }
    } reference: { walk in
        var sum = walk.numbers[0]
        try walk.each { element in
            sum = sum &* 2 &+ element
            walk.next(sum)
        }
    }
    FuzzOperator("%0.scan(into: #0) { $0 = $0 &* 2 &+ $1 }", 0...9) { parts in
        parts.up.scan(into: parts.number) { $0 = $0 &* 2 &+ $1 }
    } reference: { walk in
        var sum = walk.numbers[0]
        try walk.each { element in
            sum = sum &* 2 &+ element
            walk.next(sum)
        }
    }
    FuzzOperator("%0.pairwise().map { $0 &* 2 &- $1 }") { parts in
        parts.up.pairwise().map { $0 &* 2 &- $1 }
    } reference: { walk in
        var before: Int?
        try walk.each { element in
            if let before { walk.next(before &* 2 &- element) }
            before = element
        }
    }
    FuzzOperator("%0.nwise(#0).map { $0.reduce(0) { $0 &* 2 &+ $1 } }", 0...3) { parts in
        parts.up.nwise(parts.number).map { $0.reduce(0) { $0 &* 2 &+ $1 } }
    } reference: { walk in
        var latest: [Int] = []
        let count = max(1, walk.numbers[0])
        try walk.each { element in
            latest = (latest + [element]).suffix(count)
            if latest.count == count { walk.next(latest.reduce(0) { $0 &* 2 &+ $1 }) }
        }
    }
    FuzzOperator("%0.enumerated().map { $0.index &* 10 &+ $0.element }") { parts in
        parts.up.enumerated().map { $0.index &* 10 &+ $0.element }
    } reference: { walk in
        var index = 0
        try walk.each { element in
            walk.next(index &* 10 &+ element)
            index += 1
        }
    }
    FuzzOperator("%0.flatMapIterable { [$0, #0].prefix($0 & 3) }", 0...9) { parts in
        parts.up.flatMapIterable { [$0, parts.number].prefix($0 & 3) }
    } reference: { walk in
        try walk.each { element in
            for inner in [element, walk.numbers[0]].prefix(element & 3) { walk.next(inner) }
        }
    }
    FuzzOperator("%0.materialize().dematerialize()") { parts in
        parts.up.materialize().dematerialize()
    } reference: { walk in
        try walk.each { walk.next($0) }
    }
    FuzzOperator("%0.materialize().map { $0.element ?? ($0.isCompleted ? -1 : -2) }") { parts in
        parts.up.materialize().map { $0.element ?? ($0.isCompleted ? -1 : -2) }
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if case .next(let element, _) = input { return walk.next(element) }
            if case .completed = input { walk.next(-1) } else { walk.next(-2) }
            walk.completed()
        }
    }
    FuzzOperator("%0.timestamp(scheduler: scheduler).map { $0.value &+ Int($0.time.components.seconds) }") { parts in
        parts.up.timestamp(scheduler: parts.scheduler).map { $0.value &+ Int($0.time.components.seconds) }
    } reference: { walk in
        try walk.each { walk.next($0 &+ walk.now) }
    }
    FuzzOperator("%0.timeInterval(scheduler: scheduler).map { $0.value &+ Int($0.interval.components.seconds) }") { parts in
        parts.up.timeInterval(scheduler: parts.scheduler).map { $0.value &+ Int($0.interval.components.seconds) }
    } reference: { walk in
        var before = walk.now
        try walk.each { element in
            walk.next(element &+ (walk.now - before))
            before = walk.now
        }
    }
}
