import StreamsTesting

/// Further uses of operators that other chapters have in another form.
let furtherChapter = chapter {
    FuzzOperator("%0.observe(on: scheduler, overflow: .dropOldest(capacity: #0))", 1...3) { parts in
        parts.up.observe(on: parts.scheduler, overflow: .dropOldest(capacity: parts.number))
    } reference: { walk in
        try walk.buffering { waiting, element in
            waiting = (waiting + [element]).suffix(walk.numbers[0])
            return true
        }
    }
    FuzzOperator("%0.observe(on: scheduler, overflow: .dropNewest(capacity: #0))", 1...3) { parts in
        parts.up.observe(on: parts.scheduler, overflow: .dropNewest(capacity: parts.number))
    } reference: { walk in
        try walk.buffering { waiting, element in
            waiting = (waiting + [element]).prefix(walk.numbers[0]).map { $0 }
            return true
        }
    }
    FuzzOperator("%0.observe(on: scheduler, overflow: .fail(capacity: #0))", 1...3) { parts in
        parts.up.observe(on: parts.scheduler, overflow: .fail(capacity: parts.number))
    } reference: { walk in
        try walk.buffering { waiting, element in
            guard waiting.count < walk.numbers[0] else { return false }
            waiting.append(element)
            return true
        }
    }
    FuzzOperator("Observable.amb([%0, %1, %2])") { parts in
        .amb(parts.upstreams)
    } reference: { walk in
        var winner: Int?
        try walk.subscribeAll(3)
        try walk.run { input in
            if winner == nil {
                winner = input.tag
                for loser in 0..<3 where loser != winner { walk.dispose(loser) }
            }
            walk.pass(input)
        }
    }
    FuzzOperator("%0.withLatestFrom(%1, %2) { ($0 &* 2 &+ $1) &* 2 &+ $2 }") { parts in
        parts.up.withLatestFrom(parts.other, parts.upstreams[2]) { ($0 &* 2 &+ $1) &* 2 &+ $2 }
    } reference: { walk in
        var latest: [Int?] = [nil, nil]
        for place in [1, 2, 0] { try walk.subscribe(place) }
        try walk.run { input in
            switch input {
            case .next(let element, from: 0):
                if let second = latest[0], let third = latest[1] { walk.next((element &* 2 &+ second) &* 2 &+ third) }
            case .next(let element, let place): latest[place - 1] = element
            case .error: walk.passEnd(input)
            case .completed(let place):
                if place == 0 { return walk.completed() }
                // No pair can come any more: the other of the two is not listened to.
                if latest[place - 1] == nil { walk.dispose(3 - place) }
            case .timer: break
            }
        }
    }
    FuzzOperator("%0.window(timeSpan: .seconds(#0), count: #1, scheduler: scheduler).concatMap { $0 }", 1...9, 1...3) { parts in
        parts.up.window(timeSpan: parts.time, count: parts.numbers[1], scheduler: parts.scheduler).concatMap { $0 }
    } reference: { walk in
        try walk.each { walk.next($0) }
    }
    // The group that is not listened to keeps its last elements for later.
    FuzzOperator("%0.groupBy(bufferSize: #0) { $0 & 1 }.concatMap { $0 }", 0...2) { parts in
        parts.up.groupBy(bufferSize: parts.number) { $0 & 1 }.concatMap { $0 }
    } reference: { walk in
        var first: Int?
        var others: [Int] = []
        try walk.each { element in
            first = first ?? element & 1
            if element & 1 == first { walk.next(element) } else { others.append(element) }
        } completed: {
            for element in others.suffix(walk.numbers[0]) { walk.next(element) }
            walk.completed()
        }
    }
    FuzzOperator("%0.single { $0 % 3 == #0 }", 0...2) { parts in
        parts.up.single { $0 % 3 == parts.number }
    } reference: { walk in
        var count = 0
        try walk.each { element in
            guard element % 3 == walk.numbers[0] else { return }
            count += 1
            if count == 1 { walk.next(element) } else { walk.error("StreamError.moreThanOneElement") }
        } completed: {
            if count == 1 { walk.completed() } else { walk.error("StreamError.noElements") }
        }
    }
    FuzzOperator("%0.materialize().errors().map { _ in -5 }") { parts in
        parts.up.materialize().errors().map { _ in -5 }
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if case .next = input { return }
            if case .error = input { walk.next(-5) }
            walk.completed()
        }
    }
    FuzzOperator("%0.asInfallible(onErrorJustReturn: #0).asObservable()", 0...9) { parts in
        parts.up.asInfallible(onErrorJustReturn: parts.number).asObservable()
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if case .error = input { walk.next(walk.numbers[0]) }
            if case .next = input { walk.pass(input) } else { walk.completed() }
        }
    }
}

extension Walk {
    /// What waits crosses to the scheduler one element an action; `keep` says what happens to one more, and false if that is a failure.
    fileprivate func buffering(_ keep: (inout [Int], Int) -> Bool) throws {
        var waiting: [Int] = []
        var stop: Signal?
        var isBusy = false
        try subscribe()
        try run { input in
            guard let signal = input.signal else {
                if waiting.isEmpty, stop == nil { return isBusy = false }
                if waiting.isEmpty, let stop { return send(stop) }
                next(waiting.removeFirst())
                return timer(1, after: 0)
            }
            if case .next(let element) = signal {
                if !keep(&waiting, element) {
                    dispose(0)
                    stop = .error("StreamError.overflow(capacity: \(numbers[0]))")
                }
            } else {
                stop = signal
            }
            if !isBusy { timer(1, after: 0) }
            isBusy = true
        }
    }
}
