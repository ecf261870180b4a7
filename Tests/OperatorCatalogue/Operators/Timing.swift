import StreamsTesting

extension Operator {
    /// Operators that send elements later, or drop them when others follow.
    static let timing = operators {
        Operator(
            "interval(_:scheduler:)", in: "Creation/Interval", for: "emit at an interval",
            elsewhere: Names(rxSwift: "interval", combine: "Timer.publish", rxJava: "interval", rxJS: "interval")
        ) {
            law([.ignoresSource, .endless, .dependsOnTime]) { up in
                Observable.interval(.seconds(1), scheduler: up.scheduler).map(up.user.element)
            }
            picture(gives: "--0-1-(2|)") { up in Observable<Int>.interval(.seconds(2), scheduler: up.scheduler).take(3) }
            fuzz(
                "Observable<Int>.interval(.seconds(#0), scheduler: scheduler)", 1...9,
                build: { .interval($0.time, scheduler: $0.scheduler) }, reference: { try $0.ticking(after: $0.number, every: $0.number) })
        }
        Operator(
            "timer(_:period:scheduler:)", in: "Creation/Interval", for: "emit after a delay, once or periodically",
            elsewhere: Names(rxSwift: "timer", combine: "Timer.publish", rxJava: "timer", rxJS: "timer")
        ) {
            law(.ignoresSource) { up in Observable.timer(.seconds(1), scheduler: up.scheduler).map(up.user.element) }
            picture(gives: "---(0|)") { up in Observable<Int>.timer(.seconds(3), scheduler: up.scheduler) }
            fuzz(
                "Observable<Int>.timer(.seconds(#0), scheduler: scheduler)", 0...9, build: { .timer($0.time, scheduler: $0.scheduler) },
                reference: { try $0.ticking(after: $0.number, every: 0, count: 1) })
            fuzz("Observable<Int>.timer(.seconds(#0), period: .seconds(#1), scheduler: scheduler)", 0...9, 1...9) { parts in
                .timer(parts.time, period: .seconds(parts.numbers[1]), scheduler: parts.scheduler)
            } reference: { walk in
                try walk.ticking(after: walk.number, every: walk.numbers[1])
            }
        }
        Operator(
            "intervalRange(start:count:initialDelay:period:scheduler:)", in: "Creation/Interval",
            for: "emit a range of numbers at an interval",
            elsewhere: Names(rxJava: "intervalRange")
        ) {
            law([.ignoresSource, .dependsOnTime]) { up in
                Observable.intervalRange(start: 1, count: 3, initialDelay: .zero, period: .seconds(1), scheduler: up.scheduler)
                    .map(up.user.element)
            }
            picture(
                gives: "-5-6-(7|)"
            ) { up in Observable.intervalRange(start: 5, count: 3, initialDelay: .seconds(1), period: .seconds(2), scheduler: up.scheduler)
            }
            fuzz(
                """
                Observable.intervalRange(
                    start: #0, count: #1, initialDelay: .seconds(#2), period: .seconds(#3), scheduler: scheduler)
                """, 0...9, 0...3, 0...9, 1...9
            ) { parts in
                .intervalRange(
                    start: parts.number, count: parts.numbers[1], initialDelay: .seconds(parts.numbers[2]),
                    period: .seconds(parts.numbers[3]),
                    scheduler: parts.scheduler)
            } reference: { walk in
                try walk.ticking(after: walk.numbers[2], every: walk.numbers[3], start: walk.number, count: walk.numbers[1])
            }
        }
        Operator(
            "takeLast(for:scheduler:)", in: "Filtering/TakeLast", for: "take the elements of the last seconds",
            elsewhere: Names(rxJava: "takeLast(time, unit)")
        ) {
            law { up in up.source.takeLast(for: .seconds(1), scheduler: up.scheduler) }
            picture("--1--2--3-|", gives: "----------(23|)") { up in up.numbers.takeLast(for: .seconds(5), scheduler: up.scheduler) }
            fuzz("%0.takeLast(for: .seconds(#0), scheduler: scheduler)", 0...9) { parts in
                parts.up.takeLast(for: parts.time, scheduler: parts.scheduler)
            } reference: { walk in
                var seen: [(tick: Int, element: Int)] = []
                try walk.each { element in
                    seen.append((walk.now, element))
                } completed: {
                    for entry in seen where entry.tick >= walk.now - walk.number { walk.next(entry.element) }
                    walk.completed()
                }
            }
        }
        Operator(
            "debounce(_:scheduler:)", in: "Timing/Debounce", for: "emit an element only after a pause",
            elsewhere: Names(
                rxSwift: "debounce", combine: "debounce", rxJava: "debounce", rxJS: "debounceTime", flow: "debounce",
                but: [.combine: ["debounce": "drops the pending element at completion"]])
        ) {
            law { up in up.source.debounce(.seconds(1), scheduler: up.scheduler) }
            picture("-ab---c---d|", gives: "----b---c--(d|)") { up in up.letters.debounce(.seconds(2), scheduler: up.scheduler) }
            fuzz("%0.debounce(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
                parts.up.debounce(parts.time, scheduler: parts.scheduler)
            } reference: { walk in
                var waiting: Int?
                try walk.subscribe()
                try walk.run { input in
                    switch input {
                    case .next(let element, _):
                        waiting = element
                        walk.restart(1, after: walk.number)
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
            measured(in: "debounce, one push")
        }
        Operator(
            "throttle(_:latest:scheduler:)", in: "Timing/Throttle", for: "emit at most one element per interval",
            elsewhere: Names(
                rxSwift: "throttle", combine: "throttle", rxJava: "throttleLatest, throttleFirst", rxJS: "throttleTime",
                but: [
                    .combine: ["throttle": "`latest: false` emits the first skipped element at the end of the time; here none"],
                    .rxJava: ["throttleLatest": "drops a trailing element at completion", "throttleFirst": "it is `latest: false`"],
                    .rxJS: ["throttleTime": "emits no trailing element by default: `latest: false`"],
                ])
        ) {
            law(.dependsOnTime) { up in up.source.throttle(.seconds(1), scheduler: up.scheduler) }
            law(.dependsOnTime, as: "leading only") { up in up.source.throttle(.seconds(1), latest: false, scheduler: up.scheduler) }
            picture("-abc-----d|", gives: "-a--c----d|") { up in up.letters.throttle(.seconds(3), scheduler: up.scheduler) }
            fuzz("%0.throttle(.seconds(#0), latest: false, scheduler: scheduler)", 0...6) { parts in
                parts.up.throttle(parts.time, latest: false, scheduler: parts.scheduler)
            } reference: { walk in
                var sent: Int?
                try walk.each { element in
                    if let sent, walk.now < sent + walk.number { return }
                    sent = walk.now
                    walk.next(element)
                }
            }
            fuzz("%0.throttle(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
                parts.up.throttle(parts.time, scheduler: parts.scheduler)
            } reference: { walk in
                var sent: Int?
                var trailing: Int?
                var isDone = false
                try walk.subscribe()
                try walk.run { input in
                    switch input {
                    case .next(let element, _):
                        guard let last = sent, walk.now < last + walk.number else {
                            trailing = nil
                            walk.cancel(1)
                            sent = walk.now
                            return walk.next(element)
                        }
                        if trailing == nil { walk.timer(1, after: last + walk.number - walk.now) }
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
            measured(in: "throttle, one push")
        }
        Operator(
            "delay(_:scheduler:)", in: "Timing/Delay", for: "delay all events",
            elsewhere: Names(
                rxSwift: "delay", combine: "delay", rxJava: "delay", rxJS: "delay", flow: "onEach { delay }",
                but: [
                    .combine: ["delay": "delays an error, too"],
                    .flow: ["onEach { delay }": "the source waits meanwhile: the delays add up"],
                ])
        ) {
            law(.lossless) { up in up.source.delay(.seconds(1), scheduler: up.scheduler) }
            picture(
                "--1--2--|", gives: "----1--2--|", subscribed: "^-------!"
            ) { up in up.numbers.delay(.seconds(2), scheduler: up.scheduler) }
            // One timer is planned at a time: for the first in line, when it gets there.
            fuzz("%0.delay(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
                parts.up.delay(parts.time, scheduler: parts.scheduler)
            } reference: { walk in
                var line: [(due: Int, element: Int?)] = []
                try walk.subscribe()
                try walk.run { input in
                    switch input {
                    case .next(let element, _): line.append((walk.now + walk.number, element))
                    case .completed: line.append((walk.now + walk.number, nil))
                    case .error: return walk.passEnd(input)
                    case .timer:
                        while let first = line.first, first.due <= walk.now {
                            line.removeFirst()
                            if let element = first.element { walk.next(element) } else { walk.completed() }
                        }
                        if let first = line.first { walk.timer(1, after: first.due - walk.now) }
                        return
                    }
                    if line.count == 1 { walk.timer(1, after: walk.number) }
                }
            }
        }
        Operator(
            "delaySubscription(_:scheduler:)", in: "Timing/Delay", for: "delay the subscription",
            elsewhere: Names(rxSwift: "delaySubscription", rxJava: "delaySubscription", flow: "onStart { delay }")
        ) {
            law(.resubscribes) { up in up.source.delaySubscription(.seconds(1), scheduler: up.scheduler) }
            picture(
                "--1--2--|", gives: "-----2--|", subscribed: "---^----!"
            ) { up in up.numbers.delaySubscription(.seconds(3), scheduler: up.scheduler) }
            fuzz("%0.delaySubscription(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
                parts.up.delaySubscription(parts.time, scheduler: parts.scheduler)
            } reference: { walk in
                try walk.subscribingLater(after: walk.number)
            }
        }
        Operator(
            "timeout(_:scheduler:)", in: "Timing/Timeout", for: "fail if nothing is emitted in time",
            elsewhere: Names(
                rxSwift: "timeout", combine: "timeout", rxJava: "timeout", rxJS: "timeout", flow: "timeout",
                but: [.combine: ["timeout": "completes unless `customError` is given"]])
        ) {
            law(.lossless) { up in up.source.timeout(.seconds(1_000), scheduler: up.scheduler) }
            picture("--1--------2--|", gives: "--1---#", failing: StreamError.timeout(after: .seconds(4))) { up in
                up.numbers.timeout(.seconds(4), scheduler: up.scheduler)
            }
            fuzz(
                "%0.timeout(.seconds(#0), scheduler: scheduler)", 1...9, build: { $0.up.timeout($0.time, scheduler: $0.scheduler) },
                reference: { walk in try walk.timingOut { walk.error("StreamError.timeout(after: .seconds(\(walk.number)))") } })
        }
        Operator(
            "timeout(_:other:scheduler:)", in: "Timing/Timeout", for: "continue with another stream after a timeout",
            elsewhere: Names(rxSwift: "timeout(other:)", rxJava: "timeout", rxJS: "timeout (with)")
        ) {
            law(as: "to the other") { up in up.source.timeout(.seconds(1_000), other: up.other, scheduler: up.scheduler) }
            picture("--1--------2--|", gives: "--1---(0|)") { up in
                up.numbers.timeout(.seconds(4), other: Observable.just(0), scheduler: up.scheduler)
            }
            fuzz("%0.timeout(.seconds(#0), other: %1, scheduler: scheduler)", 1...9) { parts in
                parts.up.timeout(parts.time, other: parts.other, scheduler: parts.scheduler)
            } reference: { walk in
                try walk.timingOut {
                    walk.dispose(0)
                    try walk.subscribe(1)
                }
            }
        }
    }
}

extension Walk {
    /// Numbers at an interval.
    func ticking(after delay: Int, every period: Int, start: Int = 0, count: Int = .max) throws {
        guard count > 0 else { return completed() }
        var ticks = 0
        timer(0, after: delay)
        try run { _ in
            next(start + ticks)
            ticks += 1
            if ticks == count { completed() }
            timer(0, after: period)
        }
    }

    func subscribingLater(after delay: Int) throws {
        timer(1, after: delay)
        try run { input in
            if case .timer = input { try subscribe() } else { pass(input) }
        }
    }

    /// The timer is planned anew when it runs out too early, and not at each event.
    func timingOut(_ expire: () throws -> Void) throws {
        restart(-1, after: numbers[0])
        try subscribe(0)
        try run { input in
            if case .timer = input { return try expire() }
            if input.tag == 0 { restart(-1, after: numbers[0]) }
            pass(input)
        }
    }
}
