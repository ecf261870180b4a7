import StreamsTesting

let timingChapter = chapter {
    FuzzOperator("%0.debounce(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
        parts.up.debounce(parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        var waiting: Int?
        try walk.subscribe()
        try walk.run { input in
            switch input {
            case .next(let element, _):
                waiting = element
                walk.cancel(1)
                walk.timer(1, after: walk.numbers[0])
            case .timer:
                if let element = waiting { walk.next(element) }
                waiting = nil
            case .completed:
                if let element = waiting { walk.next(element) }
                walk.completed()
            case .error: walk.passEnd(input)
            }
        }
    }
    FuzzOperator("%0.throttle(.seconds(#0), latest: false, scheduler: scheduler)", 0...6) { parts in
        parts.up.throttle(parts.time, latest: false, scheduler: parts.scheduler)
    } reference: { walk in
        var sent: Int?
        try walk.each { element in
            if let sent, walk.now < sent + walk.numbers[0] { return }
            sent = walk.now
            walk.next(element)
        }
    }
    FuzzOperator("%0.throttle(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
        parts.up.throttle(parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        var sent: Int?
        var trailing: Int?
        var isDone = false
        try walk.subscribe()
        try walk.run { input in
            switch input {
            case .next(let element, _):
                guard let last = sent, walk.now < last + walk.numbers[0] else {
                    trailing = nil
                    walk.cancel(1)
                    sent = walk.now
                    return walk.next(element)
                }
                if trailing == nil { walk.timer(1, after: last + walk.numbers[0] - walk.now) }
                trailing = element
            case .timer:
                guard let element = trailing else { return }
                trailing = nil
                sent = walk.now
                walk.next(element)
                if isDone { walk.completed() }
            case .completed:
                isDone = true
                if trailing == nil { walk.completed() }
            case .error: walk.passEnd(input)
            }
        }
    }
    FuzzOperator("%0.audit(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
        parts.up.audit(parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        var waiting: Int?
        var isDone = false
        try walk.subscribe()
        try walk.run { input in
            switch input {
            case .next(let element, _):
                if waiting == nil { walk.timer(1, after: walk.numbers[0]) }
                waiting = element
            case .timer:
                guard let element = waiting else { return }
                waiting = nil
                walk.next(element)
                if isDone { walk.completed() }
            case .completed:
                isDone = true
                if waiting == nil { walk.completed() }
            case .error: walk.passEnd(input)
            }
        }
    }
    FuzzOperator("%0.delaySubscription(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
        parts.up.delaySubscription(parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        walk.timer(1, after: walk.numbers[0])
        try walk.run { input in
            if case .timer = input { try walk.subscribe() } else { walk.pass(input) }
        }
    }
    // One timer is planned at a time: for the first in line, when it gets there.
    FuzzOperator("%0.delay(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
        parts.up.delay(parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        var line: [(due: Int, element: Int?)] = []
        try walk.subscribe()
        try walk.run { input in
            switch input {
            case .next(let element, _): line.append((walk.now + walk.numbers[0], element))
            case .completed: line.append((walk.now + walk.numbers[0], nil))
            case .error: return walk.passEnd(input)
            case .timer:
                while let first = line.first, first.due <= walk.now {
                    line.removeFirst()
                    if let element = first.element { walk.next(element) } else { walk.completed() }
                }
                if let first = line.first { walk.timer(1, after: first.due - walk.now) }
                return
            }
            if line.count == 1 { walk.timer(1, after: walk.numbers[0]) }
        }
    }
    FuzzOperator("%0.timeout(.seconds(#0), scheduler: scheduler)", 1...9) { parts in
        parts.up.timeout(parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        try walk.timingOut { walk.error("StreamError.timeout(after: .seconds(\(walk.numbers[0])))") }
    }
    FuzzOperator("%0.timeout(.seconds(#0), other: %1, scheduler: scheduler)", 1...9) { parts in
        parts.up.timeout(parts.time, other: parts.other, scheduler: parts.scheduler)
    } reference: { walk in
        try walk.timingOut {
            walk.dispose(0)
            try walk.subscribe(1)
        }
    }
    FuzzOperator("%0.take(for: .seconds(#0), scheduler: scheduler)", 0...9) { parts in
        parts.up.take(for: parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        walk.timer(1, after: walk.numbers[0])
        try walk.subscribe()
        try walk.run { input in
            if case .timer = input { walk.completed() } else { walk.pass(input) }
        }
    }
    FuzzOperator("%0.skip(for: .seconds(#0), scheduler: scheduler)", 0...9) { parts in
        parts.up.skip(for: parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        var isOpen = walk.numbers[0] == 0
        if !isOpen { walk.timer(1, after: walk.numbers[0]) }
        try walk.subscribe()
        try walk.run { input in
            switch input {
            case .timer: isOpen = true
            case .next where !isOpen: break
            default: walk.pass(input)
            }
        }
    }
    FuzzOperator("%0.takeLast(for: .seconds(#0), scheduler: scheduler)", 0...9) { parts in
        parts.up.takeLast(for: parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        var seen: [(tick: Int, element: Int)] = []
        try walk.each { element in
            seen.append((walk.now, element))
        } completed: {
            for entry in seen where entry.tick >= walk.now - walk.numbers[0] { walk.next(entry.element) }
            walk.completed()
        }
    }
    FuzzOperator("%0.subscribe(on: scheduler)") { parts in
        parts.up.subscribe(on: parts.scheduler)
    } reference: { walk in
        walk.timer(1, after: 0)
        try walk.run { input in
            if case .timer = input { try walk.subscribe() } else { walk.pass(input) }
        }
    }
    FuzzOperator("%0.observe(on: scheduler)") { parts in
        parts.up.observe(on: parts.scheduler)
    } reference: { walk in
        var waiting: [Signal] = []
        try walk.subscribe()
        try walk.run { input in
            if let signal = input.signal {
                if waiting.isEmpty { walk.timer(1, after: 0) }
                return waiting.append(signal)
            }
            for signal in waiting { walk.send(signal) }
            waiting = []
        }
    }
}

extension Walk.Input {
    /// What an upstream has sent.
    var signal: Signal? {
        switch self {
        case .next(let element, _): .next(element)
        case .error(let name, _): .error(name)
        case .completed: .completed
        case .timer: nil
        }
    }
}

extension Walk {
    /// The timer is planned anew when it runs out too early, not at each event.
    fileprivate func timingOut(_ expire: () throws -> Void) throws {
        var last = now
        timer(-1, after: numbers[0])
        try subscribe(0)
        try run { input in
            guard case .timer = input else {
                last = now
                return pass(input)
            }
            guard now < last + numbers[0] else { return try expire() }
            timer(-1, after: last + numbers[0] - now)
        }
    }
}
