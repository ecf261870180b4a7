import StreamsTesting

extension Operator {
    /// Operators that start a stream for each element.
    static let flattening = operators {
        Operator(
            "flatMap(maxConcurrent:delayErrors:_:)", in: "Transforming/FlatMap", for: "run a stream for each element, concurrently",
            elsewhere: Names(
                rxSwift: "flatMap", combine: "flatMap(maxPublishers:)", rxJava: "flatMap", rxJS: "mergeMap", flow: "flatMapMerge",
                but: [.flow: ["flatMapMerge": "runs 16 at a time, unless it is told otherwise"]])
        ) {
            law(.lossless, as: "to just") { up in up.source.flatMap { .just(try up.user($0)) as Observable } }
            law(.lossless, as: "two at a time") { up in up.source.flatMap(maxConcurrent: 2) { Observable.just(try up.user($0)) } }
            law(.dependsOnTime, as: "to the other") { up in up.source.flatMap { _ in try up.user(up.other) } }
            law([.delaysErrors, .dependsOnTime], as: "delaying errors") { up in
                up.source.flatMap(delayErrors: true) { _ in try up.user(up.other) }
            }
            law([.lossless, .dependsOnTime], as: "on a scheduler") { up in
                up.source.flatMap { Observable.just(try up.user($0), scheduler: up.scheduler) }
            }
            picture("-a-b--------|", gives: "----a-b-----|") { up in up.letters.flatMap(up.loading) }
            fuzz("%0.flatMap { x in @ }", build: { $0.up.flatMap($0.body) }, reference: { try $0.flattening(atOnce: .max) })
            fuzz(
                "%0.flatMap(maxConcurrent: #0) { x in @ }", 1...3, build: { $0.up.flatMap(maxConcurrent: $0.number, $0.body) },
                reference: { try $0.flattening(atOnce: $0.number) })
            fuzz(
                "%0.flatMap(delayErrors: true) { x in @ }", build: { $0.up.flatMap(delayErrors: true, $0.body) },
                reference: { try $0.flattening(atOnce: .max, delayErrors: true) })
            fuzz("%0.flatMap(delayErrors: true) { x in if x % 3 == #0 { throw TestError(\"selector\") } else { @ } }", 0...2) { parts in
                parts.up.flatMap(delayErrors: true) { x in if x % 3 == parts.number { throw TestError("selector") } else { parts.body(x) } }
            } reference: { walk in
                try walk.flattening(atOnce: .max, delayErrors: true, fails: { $0 % 3 == walk.number })
            }
            measured(in: "flatMap to just, one push", "flatMap to just(x).map, one push")
        }
        Operator(
            "concatMap(delayErrors:_:)", in: "Transforming/FlatMap", for: "run a stream for each element, one after another",
            elsewhere: Names(
                rxSwift: "concatMap", combine: "flatMap(maxPublishers: .max(1))", rxJava: "concatMap", rxJS: "concatMap",
                flow: "flatMapConcat")
        ) {
            law(.lossless) { up in up.source.concatMap { Observable.just(try up.user($0)) } }
            law(as: "to the other") { up in up.source.concatMap { _ in try up.user(up.other.take(1)) } }
            picture("-a-b--------|", gives: "----a--b----|") { up in up.letters.concatMap(up.loading) }
            fuzz(
                "%0.concatMap(delayErrors: true) { x in @ }", build: { $0.up.concatMap(delayErrors: true, $0.body) },
                reference: { try $0.flattening(atOnce: 1, delayErrors: true) })
            fuzz("%0.concatMap { x in if x % 7 == #0 { throw TestError(\"selector\") } else { @ } }", 0...6) { parts in
                parts.up.concatMap { x in if x % 7 == parts.number { throw TestError("selector") } else { parts.body(x) } }
            } reference: { walk in
                try walk.flattening(atOnce: 1, fails: { $0 % 7 == walk.number })
            }
            measured(in: "concatMap to just, one push")
        }
        Operator(
            "flatMapLatest(_:)", in: "Transforming/FlatMapLatest", for: "run a stream for the latest element only",
            elsewhere: Names(
                rxSwift: "flatMapLatest", combine: "map + switchToLatest, flatMapLatest (CombineExt)", rxJava: "switchMap",
                rxJS: "switchMap", flow: "flatMapLatest, mapLatest, transformLatest, collectLatest")
        ) {
            law(.lossless) { up in up.source.flatMapLatest { Observable.just(try up.user($0)) } }
            law(.dependsOnTime, as: "to the other") { up in up.source.flatMapLatest { _ in try up.user(up.other) } }
            picture("-a-b--------|", gives: "------b-----|") { up in up.letters.flatMapLatest(up.loading) }
            fuzz("%0.flatMapLatest { x in @ }", build: { $0.up.flatMapLatest($0.body) }, reference: { try $0.switching() })
            measured(in: "flatMapLatest to just, one push", "flatMapLatest to a subject's map, one switch")
        }
        Operator(
            "flatMapFirst(_:)", in: "Transforming/FlatMapFirst", for: "run a stream for an element, and ignore elements meanwhile",
            elsewhere: Names(rxSwift: "flatMapFirst", combine: "flatMapFirst (CombineExt)", rxJS: "exhaustMap, exhaustAll")
        ) {
            law { up in up.source.flatMapFirst { Observable.just(try up.user($0)) } }
            law(.dependsOnTime, as: "to the other") { up in up.source.flatMapFirst { _ in try up.user(up.other) } }
            picture("-a-b---c-----|", gives: "----a-----c--|") { up in up.letters.flatMapFirst(up.loading) }
            fuzz("%0.flatMapFirst { x in @ }") { parts in
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
        }
        Operator(
            "flatMapIterable(_:)", in: "Transforming/FlatMapIterable", for: "transform each element into a sequence",
            elsewhere: Names(
                combine: "flatMap { $0.publisher }", rxJava: "flatMapIterable", rxJS: "mergeMap (to an array)", flow: "transform")
        ) {
            law(.lossless) { up in up.source.flatMapIterable { [try up.user($0)] } }
            law(as: "of several") { up in up.source.flatMapIterable { [try up.user($0), up.user.element(7), $0] } }
            picture("-a----b----|", gives: "-(12)-3----|") { up in up.letters.flatMapIterable { $0 == "a" ? [1, 2] : [3] } }
            fuzz("%0.flatMapIterable { [$0, #0].prefix($0 & 3) }", 0...9) { parts in
                parts.up.flatMapIterable { [$0, parts.number].prefix($0 & 3) }
            } each: { walk, element in
                for inner in [element, walk.number].prefix(element & 3) { walk.next(inner) }
            }
        }
        Operator("flatMapOutcome(_:)", in: "Transforming/FlatMapOutcome") {
            law(.endsEarly) { up in up.source.flatMapOutcome { .just(try up.user($0.get())) } }
            law(.handlesErrors, as: "to the other") { up in up.source.flatMapOutcome { _ in try up.user(up.other) } }
            picture("--1--2--|", gives: "--(1|)") { up in up.numbers.flatMapOutcome { .just(try $0.get()) } }
            fuzz("%0.flatMapOutcome { outcome in if let x = try? outcome.get() { @ } else { .just(#0) } }", 0...9) { parts in
                parts.up.flatMapOutcome { outcome in (try? outcome.get()).map { parts.body($0) } ?? .just(parts.number) }
            } reference: { walk in
                try walk.subscribe(0)
                try walk.run { input in
                    switch input {
                    case .next(let element, from: 0):
                        walk.dispose(0)
                        try walk.subscribeBody(element, as: 1)
                    case .error(_, from: 0):
                        walk.next(walk.number)
                        walk.completed()
                    default: walk.pass(input)
                    }
                }
            }
        }
        Operator(
            "concatMapEager(maxConcurrent:_:)", in: "Transforming/ConcatMapEager",
            for: "run a stream for each element concurrently, and keep the order",
            elsewhere: Names(rxJava: "concatMapEager")
        ) {
            law(.lossless) { up in up.source.concatMapEager { Observable.just(try up.user($0)) } }
            law(as: "to the other") { up in up.source.concatMapEager(maxConcurrent: 2) { _ in try up.user(up.other.take(1)) } }
            picture("-a-b--------|", gives: "----a-b-----|") { up in up.letters.concatMapEager(up.loading) }
            fuzz(
                "%0.concatMapEager(maxConcurrent: #0) { x in @ }", 1...3,
                build: { $0.up.concatMapEager(maxConcurrent: $0.number, $0.body) }, reference: { try $0.lining(atOnce: $0.number) })
        }
        Operator(
            "expand(maxConcurrent:_:)", in: "Transforming/Expand", for: "expand each element recursively, as for a tree",
            elsewhere: Names(
                rxJS: "expand",
                but: [
                    .rxJS: [
                        "expand":
                            "emits an element when its stream is started: depth first, and later beyond `concurrent`; here when it is "
                            + "received"
                    ]
                ])
        ) {
            law { up in up.source.expand { $0.value < 200 ? .just(try up.user(up.user.element(900))) : .empty() } }
            picture(
                cold: "(1|)", gives: "(1234|)", subscribed: nil
            ) { up in up.numbers.expand { $0 < 4 ? .just($0 + 1) : .empty() } }
            // Each stream starts in an action of its own: the order of synchronous streams is defined by law 5, not by the field.
            fuzz(
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
                try walk.expanding(atOnce: walk.number, above: walk.numbers[1], limit: 20)
            }
        }
    }
}

extension Walk {
    /// Sends every element's stream, `atOnce` at a time; the outer stream has the tag 0.
    func flattening(atOnce: Int, delayErrors: Bool = false, fails: (Int) -> Bool = { _ in false }) throws {
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
                try expectRoom(for: waiting)
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

    func switching() throws {
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

    /// Sends every element's stream, `atOnce` at a time, one stream after the other.
    func lining(atOnce: Int) throws {
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
                try expectRoom(for: waiting)
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

    /// Sends every element, those of its stream, and so on, until `limit` elements were sent.
    func expanding(atOnce: Int, above: Int, limit: Int) throws {
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
                try expectRoom(for: waiting)
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
