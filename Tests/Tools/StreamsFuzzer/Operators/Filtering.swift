import StreamsTesting

let filteringChapter = chapter {
    FuzzOperator("%0.filter { $0 % 3 != #0 }", 0...2) { parts in
        parts.up.filter { $0 % 3 != parts.number }
    } reference: { walk in
        try walk.each { if $0 % 3 != walk.numbers[0] { walk.next($0) } }
    }
    FuzzOperator("%0.filter { if $0 % 11 == #0 { throw TestError(\"filter\") } else { $0 % 2 == 0 } }", 0...4) { parts in
        parts.up.filter { if $0 % 11 == parts.number { throw TestError("filter") } else { $0 % 2 == 0 } }
    } reference: { walk in
        try walk.each { element in
            if element % 11 == walk.numbers[0] { return walk.error("filter") }
            if element % 2 == 0 { walk.next(element) }
        }
    }
    FuzzOperator("%0.ignoreElements().ofType(Int.self)") { parts in
        parts.up.ignoreElements().ofType(Int.self)
    } reference: { walk in
        try walk.each { _ in }
    }
    FuzzOperator("%0.distinct()") { parts in
        parts.up.distinct()
    } reference: { walk in
        var known: Set<Int> = []
        try walk.each { if known.insert($0).inserted { walk.next($0) } }
    }
    FuzzOperator("%0.distinct(capacity: #0) { $0 % 7 }", 0...3) { parts in
        parts.up.distinct(capacity: parts.number) { $0 % 7 }
    } reference: { walk in
        var known: [Int] = []
        try walk.each { element in
            guard !known.contains(element % 7) else { return }
            known = (known + [element % 7]).suffix(max(1, walk.numbers[0]))
            walk.next(element)
        }
    }
    FuzzOperator("%0.distinctUntilChanged()") { parts in
        parts.up.distinctUntilChanged()
    } reference: { walk in
        var before: Int?
        try walk.each { element in
            if element != before { walk.next(element) }
            before = element
        }
    }
    FuzzOperator("%0.distinctUntilChanged { if $0 % 7 == #0 { throw TestError(\"key\") } else { $0 % 2 } }", 0...6) { parts in
        parts.up.distinctUntilChanged { if $0 % 7 == parts.number { throw TestError("key") } else { $0 % 2 } }
    } reference: { walk in
        var before: Int?
        try walk.each { element in
            if element % 7 == walk.numbers[0] { return walk.error("key") }
            if element % 2 != before { walk.next(element) }
            before = element % 2
        }
    }
    FuzzOperator("%0.element(at: #0)", 0...3) { parts in
        parts.up.element(at: parts.number)
    } reference: { walk in
        var left = walk.numbers[0]
        try walk.each { element in
            left -= 1
            guard left < 0 else { return }
            walk.next(element)
            walk.completed()
        } completed: {
            walk.error("StreamError.noElement(at: \(walk.numbers[0]))")
        }
    }
    FuzzOperator("%0.first()") { parts in
        parts.up.first()
    } reference: { walk in
        try walk.each { element in
            walk.next(element)
            walk.completed()
        } completed: {
            walk.error("StreamError.noElements")
        }
    }
    FuzzOperator("%0.last()") { parts in
        parts.up.last()
    } reference: { walk in
        var last: Int?
        try walk.each { element in
            last = element
        } completed: {
            guard let last else { return walk.error("StreamError.noElements") }
            walk.next(last)
            walk.completed()
        }
    }
    FuzzOperator("%0.single()") { parts in
        parts.up.single()
    } reference: { walk in
        var count = 0
        try walk.each { element in
            count += 1
            if count == 1 { walk.next(element) } else { walk.error("StreamError.moreThanOneElement") }
        } completed: {
            if count == 1 { walk.completed() } else { walk.error("StreamError.noElements") }
        }
    }
    FuzzOperator("%0.take(#0)", 0...4) { parts in
        parts.up.take(parts.number)
    } reference: { walk in
        var left = walk.numbers[0]
        guard left > 0 else { return walk.completed() }
        try walk.each { element in
            left -= 1
            walk.next(element)
            if left == 0 { walk.completed() }
        }
    }
    FuzzOperator("%0.take(while: { $0 % 4 != #0 })", 0...3) { parts in
        parts.up.take(while: { $0 % 4 != parts.number })
    } reference: { walk in
        try walk.each { if $0 % 4 != walk.numbers[0] { walk.next($0) } else { walk.completed() } }
    }
    FuzzOperator("%0.take(while: { $0 % 4 != #0 }, behavior: .inclusive)", 0...3) { parts in
        parts.up.take(while: { $0 % 4 != parts.number }, behavior: .inclusive)
    } reference: { walk in
        try walk.each { element in
            walk.next(element)
            if element % 4 == walk.numbers[0] { walk.completed() }
        }
    }
    FuzzOperator("%0.takeLast(#0)", 0...4) { parts in
        parts.up.takeLast(parts.number)
    } reference: { walk in
        var last: [Int] = []
        try walk.each { element in
            last = (last + [element]).suffix(walk.numbers[0])
        } completed: {
            for element in last { walk.next(element) }
            walk.completed()
        }
    }
    FuzzOperator("%0.skip(#0)", 0...3) { parts in
        parts.up.skip(parts.number)
    } reference: { walk in
        var left = walk.numbers[0]
        try walk.each { element in
            if left == 0 { walk.next(element) } else { left -= 1 }
        }
    }
    FuzzOperator("%0.skip(while: { $0 % 4 != #0 })", 0...3) { parts in
        parts.up.skip(while: { $0 % 4 != parts.number })
    } reference: { walk in
        var isOpen = false
        try walk.each { element in
            isOpen = isOpen || element % 4 == walk.numbers[0]
            if isOpen { walk.next(element) }
        }
    }
    FuzzOperator("%0.skipLast(#0)", 0...3) { parts in
        parts.up.skipLast(parts.number)
    } reference: { walk in
        var waiting: [Int] = []
        try walk.each { element in
            waiting.append(element)
            if waiting.count > walk.numbers[0] { walk.next(waiting.removeFirst()) }
        }
    }
}
