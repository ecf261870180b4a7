import StreamsTesting

let flatteningChapter = chapter {
    FuzzOperator("%0.flatMap { x in @ }") { parts in
        parts.up.flatMap(parts.body)
    } reference: { walk in
        try walk.flattening(atOnce: .max)
    }
    FuzzOperator("%0.flatMap(maxConcurrent: #0) { x in @ }", 1...3) { parts in
        parts.up.flatMap(maxConcurrent: parts.number, parts.body)
    } reference: { walk in
        try walk.flattening(atOnce: walk.numbers[0])
    }
    FuzzOperator("%0.flatMap(delayErrors: true) { x in @ }") { parts in
        parts.up.flatMap(delayErrors: true, parts.body)
    } reference: { walk in
        try walk.flattening(atOnce: .max, delayErrors: true)
    }
    FuzzOperator("%0.concatMap(delayErrors: true) { x in @ }") { parts in
        parts.up.concatMap(delayErrors: true, parts.body)
    } reference: { walk in
        try walk.flattening(atOnce: 1, delayErrors: true)
    }
    FuzzOperator("%0.concatMap { x in if x % 7 == #0 { throw TestError(\"selector\") } else { @ } }", 0...6) { parts in
        parts.up.concatMap { x in if x % 7 == parts.number { throw TestError("selector") } else { parts.body(x) } }
    } reference: { walk in
        try walk.flattening(atOnce: 1, fails: { $0 % 7 == walk.numbers[0] })
    }
    FuzzOperator("%0.flatMap(delayErrors: true) { x in if x % 3 == #0 { throw TestError(\"selector\") } else { @ } }", 0...2) { parts in
        parts.up.flatMap(delayErrors: true) { x in if x % 3 == parts.number { throw TestError("selector") } else { parts.body(x) } }
    } reference: { walk in
        try walk.flattening(atOnce: .max, delayErrors: true, fails: { $0 % 3 == walk.numbers[0] })
    }
    FuzzOperator("%0.map { x in @ }.merge(maxConcurrent: #0)", 1...3) { parts in
        parts.up.map { parts.body($0) }.merge(maxConcurrent: parts.number)
    } reference: { walk in
        try walk.flattening(atOnce: walk.numbers[0])
    }
    FuzzOperator("%0.map { x in @ }.concat()") { parts in
        parts.up.map { parts.body($0) }.concat()
    } reference: { walk in
        try walk.flattening(atOnce: 1)
    }
    FuzzOperator("%0.flatMapLatest { x in @ }") { parts in
        parts.up.flatMapLatest(parts.body)
    } reference: { walk in
        try walk.switching()
    }
    FuzzOperator("%0.map { x in @ }.switchLatest()") { parts in
        parts.up.map { parts.body($0) }.switchLatest()
    } reference: { walk in
        try walk.switching()
    }
    FuzzOperator("%0.flatMapFirst { x in @ }") { parts in
        parts.up.flatMapFirst(parts.body)
    } reference: { walk in
        var (isOuterDone, isInnerRunning) = (false, false)
        try walk.subscribe(0)
        try walk.run { input in
            switch input {
            case .next(let element, from: 0):
                guard !isInnerRunning else { return }
                isInnerRunning = true
                try walk.subscribeBody(element, as: 1)
            case .completed(let stream):
                if stream == 0 { isOuterDone = true } else { isInnerRunning = false }
                if isOuterDone, !isInnerRunning { walk.completed() }
            default: walk.pass(input)
            }
        }
    }
    FuzzOperator("%0.flatMapOutcome { outcome in if let x = try? outcome.get() { @ } else { .just(#0) } }", 0...9) { parts in
        parts.up.flatMapOutcome { outcome in (try? outcome.get()).map { parts.body($0) } ?? .just(parts.number) }
    } reference: { walk in
        try walk.subscribe(0)
        try walk.run { input in
            switch input {
            case .next(let element, from: 0):
                walk.dispose(0)
                try walk.subscribeBody(element, as: 1)
            case .error(_, from: 0):
                walk.next(walk.numbers[0])
                walk.completed()
            default: walk.pass(input)
            }
        }
    }
    FuzzOperator("%0.concatMapEager(maxConcurrent: #0) { x in @ }", 1...3) { parts in
        parts.up.concatMapEager(maxConcurrent: parts.number, parts.body)
    } reference: { walk in
        try walk.lining(atOnce: walk.numbers[0])
    }
    // Each stream starts in an action of its own: where streams that send in place are to stand in line, law 5 says, not the field.
    FuzzOperator(
        """
        %0.expand(maxConcurrent: #0) { x in
            x > #1 ? @.subscribe(on: scheduler) : Observable.empty().subscribe(on: scheduler)
        }.take(20)
        """, 1...3, 5...9
    ) { parts in
        parts.up.expand(maxConcurrent: parts.number) { element in
            (element > parts.numbers[1] ? parts.body(element) : .empty()).subscribe(on: parts.scheduler)
        }.take(20)
    } reference: { walk in
        try walk.expanding(atOnce: walk.numbers[0], above: walk.numbers[1], limit: 20)
    }
}

extension Walk {
    /// Every element's stream, so many at a time; the outer stream has the tag 0.
    fileprivate func flattening(atOnce: Int, delayErrors: Bool = false, fails: (Int) -> Bool = { _ in false }) throws {
        var waiting: [Int] = []
        var (running, started, isOuterDone) = (0, 0, false)
        var failure: String?
        func startNext() throws {
            while running < atOnce, !waiting.isEmpty {
                let element = waiting.removeFirst()
                if fails(element) {
                    if !delayErrors { return error("selector") }
                    failure = failure ?? "selector"
                    continue
                }
                running += 1
                started += 1
                return try subscribeBody(element, as: started)
            }
        }
        try subscribe(0)
        try run { input in
            switch input {
            case .next(let element, from: 0):
                waiting.append(element)
                try startNext()
            case .next(let element, _): next(element)
            case .error(let name, _) where !delayErrors: error(name)
            case .error, .completed:
                if case .error(let name, _) = input { failure = failure ?? name }
                if input.tag == 0 { isOuterDone = true } else { running -= 1 }
                try startNext()
                guard isOuterDone, running == 0, waiting.isEmpty else { return }
                if let failure { error(failure) } else { completed() }
            case .timer: break
            }
        }
    }

    fileprivate func switching() throws {
        var (latest, isOuterDone, isInnerDone) = (0, false, true)
        try subscribe(0)
        try run { input in
            switch input {
            case .next(let element, from: 0):
                if latest > 0 { dispose(latest) }
                latest += 1
                isInnerDone = false
                try subscribeBody(element, as: latest)
            case .completed(let stream):
                if stream == 0 { isOuterDone = true } else { isInnerDone = true }
                if isOuterDone, isInnerDone { completed() }
            default: pass(input)
            }
        }
    }

    /// Every element's stream, so many at a time, sent one stream after the other.
    fileprivate func lining(atOnce: Int) throws {
        var waiting: [Int] = []
        var lines: [(elements: [Int], isDone: Bool)] = []
        var (first, running, isOuterDone) = (0, 0, false)
        func startNext() throws {
            guard running < atOnce, !waiting.isEmpty else { return }
            running += 1
            lines.append(([], false))
            try subscribeBody(waiting.removeFirst(), as: lines.count)
        }
        try subscribe(0)
        try run { input in
            switch input {
            case .next(let element, from: 0):
                waiting.append(element)
                try startNext()
            case .next(let element, let stream):
                if stream - 1 == first { next(element) } else { lines[stream - 1].elements.append(element) }
            case .completed(let stream):
                if stream == 0 { isOuterDone = true } else { (lines[stream - 1].isDone, running) = (true, running - 1) }
                while first < lines.count, lines[first].isDone {
                    first += 1
                    guard first < lines.count else { break }
                    for element in lines[first].elements { next(element) }
                }
                try startNext()
                if isOuterDone, first == lines.count, waiting.isEmpty { completed() }
            default: passEnd(input)
            }
        }
    }

    /// Every element, and those of its stream, and so on, until `limit` elements were sent.
    fileprivate func expanding(atOnce: Int, above: Int, limit: Int) throws {
        var (waiting, started): ([Int], [Int]) = ([], [0])
        var (running, sent, isOuterDone) = (0, 0, false)
        func startNext() {
            while running < atOnce, !waiting.isEmpty {
                running += 1
                timer(started.count, after: 0)
                started.append(waiting.removeFirst())
            }
        }
        try subscribe(0)
        try run { input in
            switch input {
            case .next(let element, _):
                next(element)
                sent += 1
                if sent == limit { return completed() }
                waiting.append(element)
                startNext()
            case .timer(let stream):
                guard started[stream] <= above else { return try subscribeBody(started[stream], as: stream) }
                running -= 1
            case .completed(let stream):
                if stream == 0 { isOuterDone = true } else { running -= 1 }
            case .error: return passEnd(input)
            }
            startNext()
            if isOuterDone, running == 0, waiting.isEmpty { completed() }
        }
    }
}
