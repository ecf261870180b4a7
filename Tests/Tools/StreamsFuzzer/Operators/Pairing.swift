import StreamsTesting

/// The operators that pair the elements of several streams.
let pairingChapter = chapter {
    FuzzOperator("Observable.combineLatest(%0, %1) { $0 &* 2 &+ $1 }") { parts in
        .combineLatest(parts.up, parts.other) { $0 &* 2 &+ $1 }
    } reference: { walk in
        try walk.combining(2)
    }
    FuzzOperator("Observable.combineLatest(%0, %1, %2, delayErrors: true) { ($0 &* 2 &+ $1) &* 2 &+ $2 }") { parts in
        .combineLatest(parts.up, parts.other, parts.upstreams[2], delayErrors: true) { ($0 &* 2 &+ $1) &* 2 &+ $2 }
    } reference: { walk in
        try walk.combining(3, delayErrors: true)
    }
    FuzzOperator("Observable.combineLatest([%0, %1]) { $0.reduce(0) { $0 &* 2 &+ $1 } }") { parts in
        .combineLatest(parts.upstreams) { $0.reduce(0) { $0 &* 2 &+ $1 } }
    } reference: { walk in
        try walk.combining(2)
    }
    FuzzOperator("Observable.zip(%0, %1) { $0 &* 2 &+ $1 }") { parts in
        .zip(parts.up, parts.other) { $0 &* 2 &+ $1 }
    } reference: { walk in
        try walk.zipping(2)
    }
    FuzzOperator("Observable.zip(%0, %1, %2, delayErrors: true) { ($0 &* 2 &+ $1) &* 2 &+ $2 }") { parts in
        .zip(parts.up, parts.other, parts.upstreams[2], delayErrors: true) { ($0 &* 2 &+ $1) &* 2 &+ $2 }
    } reference: { walk in
        try walk.zipping(3, delayErrors: true)
    }
    FuzzOperator("Observable.zip([%0, %1]) { $0.reduce(0) { $0 &* 2 &+ $1 } }") { parts in
        .zip(parts.upstreams) { $0.reduce(0) { $0 &* 2 &+ $1 } }
    } reference: { walk in
        try walk.zipping(2)
    }
    FuzzOperator("%0.withLatestFrom(%1) { $0 &* 2 &+ $1 }") { parts in
        parts.up.withLatestFrom(parts.other) { $0 &* 2 &+ $1 }
    } reference: { walk in
        var latest: Int?
        try walk.notified {
            latest = $0
        } source: { input in
            guard case .next(let element, _) = input else { return walk.passEnd(input) }
            if let latest { walk.next(element &* 2 &+ latest) }
        }
    }
    FuzzOperator("%0.withLatestFrom(%1) { if ($0 &+ $1) % 11 == #0 { throw TestError(\"latest\") } else { $1 } }", 0...4) { parts in
        parts.up.withLatestFrom(parts.other) { if ($0 &+ $1) % 11 == parts.number { throw TestError("latest") } else { $1 } }
    } reference: { walk in
        var latest: Int?
        try walk.notified {
            latest = $0
        } source: { input in
            guard case .next(let element, _) = input else { return walk.passEnd(input) }
            guard let latest else { return }
            if (element &+ latest) % 11 == walk.numbers[0] { walk.error("latest") } else { walk.next(latest) }
        }
    }
    FuzzOperator("%0.take(until: %1)") { parts in
        parts.up.take(until: parts.other)
    } reference: { walk in
        try walk.notified { _ in
            walk.completed()
        } source: {
            walk.pass($0)
        }
    }
    FuzzOperator("%0.skip(until: %1)") { parts in
        parts.up.skip(until: parts.other)
    } reference: { walk in
        var isOpen = false
        try walk.notified { _ in
            isOpen = true
            walk.dispose(1)
        } source: { input in
            if case .next = input, !isOpen { return }
            walk.pass(input)
        }
    }
    FuzzOperator("%0.pausable(%1.map { $0 % 2 == 0 })") { parts in
        parts.up.pausable(parts.other.map { $0 % 2 == 0 })
    } reference: { walk in
        var isOpen = false
        try walk.notified {
            isOpen = $0 % 2 == 0
        } source: { input in
            if case .next = input, !isOpen { return }
            walk.pass(input)
        }
    }
    FuzzOperator("%0.sample(%1)") { parts in
        parts.up.sample(parts.other)
    } reference: { walk in
        try walk.subscribeAll(2)
        try walk.sampling(quiet: nil)
    }
    FuzzOperator("%0.sample(%1, defaultValue: #0)", 0...9) { parts in
        parts.up.sample(parts.other, defaultValue: parts.number)
    } reference: { walk in
        try walk.subscribeAll(2)
        try walk.sampling(quiet: walk.numbers[0])
    }
    FuzzOperator("%0.sample(.seconds(#0), scheduler: scheduler)", 1...9) { parts in
        parts.up.sample(parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        try walk.subscribe()
        walk.timer(1, after: walk.numbers[0])
        try walk.sampling(quiet: nil)
    }
}

extension Walk {
    fileprivate func combining(_ count: Int, delayErrors: Bool = false) throws {
        var latest: [Int?] = Array(repeating: nil, count: count)
        var running = count
        var failure: String?
        try subscribeAll(count)
        try run { input in
            switch input {
            case .next(let element, let place):
                latest[place] = element
                let elements = latest.compactMap { $0 }
                if elements.count == count { next(elements.reduce(0) { $0 &* 2 &+ $1 }) }
                return
            case .error(let name, _) where !delayErrors: return error(name)
            case .error(let name, _): failure = failure ?? name
            case .completed, .timer: break
            }
            running -= 1
            guard running == 0 || latest[input.tag] == nil else { return }
            if let failure { error(failure) } else { completed() }
        }
    }

    fileprivate func zipping(_ count: Int, delayErrors: Bool = false) throws {
        var waiting: [[Int]] = Array(repeating: [], count: count)
        var done: Set<Int> = []
        var failure: String?
        try subscribeAll(count)
        try run { input in
            switch input {
            case .next(let element, let place):
                waiting[place].append(element)
                if waiting.allSatisfy({ !$0.isEmpty }) {
                    next(waiting.reduce(0) { $0 &* 2 &+ $1[0] })
                    for place in waiting.indices { waiting[place].removeFirst() }
                }
            case .error(let name, _) where !delayErrors: return error(name)
            default:
                if case .error(let name, _) = input { failure = failure ?? name }
                done.insert(input.tag)
            }
            guard done.contains(where: { waiting[$0].isEmpty }) else { return }
            if let failure { error(failure) } else { completed() }
        }
    }

    /// The first upstream, and a second one that is subscribed to before it and whose completion is no end.
    fileprivate func notified(_ notify: (Int) -> Void, source: (Input) -> Void) throws {
        try subscribe(1)
        try subscribe(0)
        try run { input in
            guard input.tag == 1 else { return source(input) }
            switch input {
            case .next(let element, _): notify(element)
            case .error(let name, _): error(name)
            case .completed, .timer: break
            }
        }
    }

    /// What samples is the second upstream, or a timer that runs again and again.
    fileprivate func sampling(quiet: Int?) throws {
        var latest: Int?
        var (isDone, isSamplerDone) = (false, false)
        try run { input in
            switch input {
            case .next(let element, from: 0): return latest = element
            case .error(let name, _): return error(name)
            case .completed(from: 0):
                isDone = true
                if isSamplerDone { completed() }
                return
            case .completed: isSamplerDone = true
            case .next, .timer: break
            }
            if let element = latest ?? quiet { next(element) }
            latest = nil
            if isDone { completed() }
            if case .timer = input { timer(1, after: numbers[0]) }
        }
    }
}
