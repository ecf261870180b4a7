import StreamsTesting

extension Operator {
    /// Operators that change no element, or decide where a chain runs.
    static let utility = operators {
        Operator(
            "assign(to:)", in: "Utility/Assign", for: "assign the latest element to a property",
            elsewhere: Names(
                rxSwift: "bind(to:)", combine: "assign(to:on:)",
                but: [.combine: ["assign(to:on:)": "keeps its object alive"]])
        ) {
            without(.law, because: "ends a chain: StreamedTests")
            picture(
                "--1--#", gives: "a-b--c---", where: ["a": "idle", "b": "loaded(1)", "c": "failed(failed)"], subscribed: "^----!"
            ) { up in
                Observable<String>.create { observer in
                    let state = Streamed(wrappedValue: LoadingState<Int>.idle)
                    let values = state.projectedValue.map { state in
                        switch state {
                        case .failed(let error): "failed(\(error))"
                        default: "\(state)"
                        }
                    }.subscribe(observer)
                    up.numbers.convertToLoadingState().assign(to: &state.projectedValue)
                    return Disposables.create { withExtendedLifetime(state) { values.dispose() } }
                }
            }
            without(.fuzz, because: "ends a chain")
        }
        Operator(
            "debug(_:trimOutput:file:line:output:)", in: "Utility/Debug", for: "print the events of a stream",
            elsewhere: Names(rxSwift: "debug", combine: "print", flow: "onEach")
        ) {
            law(.lossless) { up in up.source.debug("table") { _ in } }
            picture("--1--|", gives: "--1--|") { up in up.numbers.debug("numbers") { _ in } }
            fuzz(passing: "%0.debug(\"fuzzed\") { _ in }") { parts in parts.up.debug("fuzzed") { _ in } }
        }
        Operator(
            "do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)", in: "Utility/Do",
            for: "perform side effects",
            elsewhere: Names(
                rxSwift: "do", combine: "handleEvents", rxJava: "doOnNext, doOnError, doOnComplete", rxJS: "tap, finalize",
                flow: "onEach, onStart, onCompletion")
        ) {
            law(.lossless) { up in
                up.source.do(
                    onNext: { _ in try up.user((), closure: 0) }, afterNext: { _ in try up.user((), closure: 1) },
                    onError: { _ in try up.user((), closure: 2) }, onCompleted: { try up.user((), closure: 3) })
            }
            picture("--1--2--|", gives: "--1--2--|") { up in up.numbers.do(onNext: { _ in }, onDispose: {}) }
            fuzz("%0.do(onNext: { note($0) }, onError: { note($0) }, onCompleted: { note(\"completed\") })") { parts in
                parts.up.do(
                    onNext: { parts.note(.next($0)) }, onError: { parts.note(FuzzEvent(.error($0))) },
                    onCompleted: { parts.note(.completed) })
            } eachInput: { walk, input in
                if let signal = input.signal { walk.note(signal) }
                walk.pass(input)
            }
            fuzz("%0.do(onNext: { if $0 % 11 == #0 { throw TestError(\"do\") } })", 0...4) { parts in
                parts.up.do(onNext: { if $0 % 11 == parts.number { throw TestError("do") } })
            } each: { walk, element in
                if element % 11 == walk.number { walk.error("do") } else { walk.next(element) }
            }
        }
        Operator(
            "observe(on:)", in: "Utility/ObserveOn", for: "deliver on a scheduler",
            elsewhere: Names(rxSwift: "observe(on:)", combine: "receive(on:)", rxJava: "observeOn", rxJS: "observeOn")
        ) {
            law(.lossless, keeps: 4_096) { up in up.source.observe(on: up.scheduler) }
            picture("--1--2--#", gives: "--1--2--#") { up in up.numbers.observe(on: up.scheduler) }
            fuzz("%0.observe(on: scheduler)") { parts in
                parts.up.observe(on: parts.scheduler)
            } reference: { walk in
                try walk.buffering { waiting, element in
                    waiting.append(element)
                    return true
                }
            }
            measured(in: "observe(on:) a serial queue, burst of 100,000, one element")
        }
        Operator(
            "suspended(while:overflow:scheduler:)", "suspended(by:overflow:)", in: "Utility/Suspended",
            for: "let a source wait until a consumer is ready",
            elsewhere: Names(rxJava: "request(n)")
        ) {
            law(.lossless) { up in up.source.suspended(while: Observable.never(), scheduler: up.scheduler) }
            law(.lossless, as: "by hand") { up in up.source.suspended(by: Suspension()) }
            picture("--1--2--3------4|", "---t-------f-----", gives: "--1--------(23)4|") { up in
                up.numbers.suspended(while: up.others.map { $0 == "t" }, scheduler: up.scheduler)
            }
            fuzz(passing: "%0.suspended(while: .never(), scheduler: scheduler)") { parts in
                parts.up.suspended(while: Observable.never(), scheduler: parts.scheduler)
            }
        }
        Operator(
            "observe(on:overflow:)", in: "Utility/ObserveOn",
            for: "deliver on a scheduler, with a bounded buffer",
            elsewhere: Names(rxJava: "observeOn(bufferSize)", flow: "buffer, conflate")
        ) {
            law([.lossless, .hot]) { up in up.source.observe(on: up.scheduler, overflow: .fail(capacity: .max)) }
            law(.lossless, as: "suspending", keeps: 2) { up in up.source.observe(on: up.scheduler, overflow: .suspend(capacity: 2)) }
            picture("-1-2-3-|", gives: "-1-2-3-|") { up in up.numbers.observe(on: up.scheduler, overflow: .latest) }
            fuzz("%0.observe(on: scheduler, overflow: .dropOldest(capacity: #0))", 1...3) { parts in
                parts.up.observe(on: parts.scheduler, overflow: .dropOldest(capacity: parts.number))
            } reference: { walk in
                try walk.buffering { waiting, element in
                    waiting = (waiting + [element]).suffix(walk.number)
                    return true
                }
            }
            fuzz("%0.observe(on: scheduler, overflow: .dropNewest(capacity: #0))", 1...3) { parts in
                parts.up.observe(on: parts.scheduler, overflow: .dropNewest(capacity: parts.number))
            } reference: { walk in
                try walk.buffering { waiting, element in
                    waiting = (waiting + [element]).prefix(walk.number).map { $0 }
                    return true
                }
            }
            fuzz("%0.observe(on: scheduler, overflow: .fail(capacity: #0))", 1...3) { parts in
                parts.up.observe(on: parts.scheduler, overflow: .fail(capacity: parts.number))
            } reference: { walk in
                try walk.buffering { waiting, element in
                    guard waiting.count < walk.number else { return false }
                    waiting.append(element)
                    return true
                }
            }
        }
        Operator(
            "subscribe(on:)", in: "Utility/ObserveOn", for: "subscribe on a scheduler",
            elsewhere: Names(
                rxSwift: "subscribe(on:)", combine: "subscribe(on:)", rxJava: "subscribeOn", rxJS: "subscribeOn", flow: "flowOn")
        ) {
            law([.lossless, .resubscribes]) { up in up.source.subscribe(on: up.scheduler) }
            picture("--1--2--|", gives: "--1--2--|") { up in up.numbers.subscribe(on: up.scheduler) }
            fuzz(
                "%0.subscribe(on: scheduler)", build: { $0.up.subscribe(on: $0.scheduler) },
                reference: { try $0.subscribingLater(after: 0) })
        }
        Operator("signals(_:)", in: "Utility/ProcessSignals", for: "observe the signals of the process") {
            without(.law, because: "signals belong to the process: MainLoopTests")
            without(.picture, .fuzz, because: "signals come from outside")
        }
        Operator(
            "scoped(_:)", in: "Utility/Scoped", for: "read the scope of the subscription in a source",
            elsewhere: Names(flow: "coroutineContext")
        ) {
            law(.lossless) { up in .scoped { _ in try up.user(up.source) } }
            fuzz(passing: "Observable.scoped { _ in %0 }") { parts in .scoped { [up = parts.up] _ in up } }
            without(.picture, because: "a scope does not show")
        }
        Operator(
            "carrying(_:)", in: "Utility/Scoped", for: "pass a value to the upstream of this subscription",
            elsewhere: Names(flow: "flowOn")
        ) {
            law(.lossless) { up in up.source.carrying(CarriedNumber.self) { 1 }.map { try up.user($0) } }
            fuzz(passing: "%0.carrying(CarriedNumber.self) { 1 }") { parts in parts.up.carrying(CarriedNumber.self) { 1 } }
            without(.picture, because: "a scope does not show")
        }
        Operator(
            "apply(_:)", in: "Utility/Apply", for: "insert a function of streams into a chain",
            elsewhere: Names(rxSwift: "apply (RxSwiftExt)", rxJava: "compose", rxJS: "pipe")
        ) {
            law(.lossless) { up in up.source.apply { $0.map { try up.user($0) } } }
            picture("--1--2--3--4--|", gives: "-----2--(3|)") { up in up.numbers.apply { stream in stream.filter { $0 > 1 }.take(2) } }
            fuzz(
                "%0.apply { $0.map { $0 &+ #0 } }", 1...9, build: { parts in parts.up.apply { $0.map { $0 &+ parts.number } } },
                each: { $0.next($1 &+ $0.number) })
        }
        Operator("trace(_:file:line:)", in: "Utility/Trace", for: "report where a chain was built with its errors") {
            law(.lossless) { up in up.source.trace() }
            picture("--1--#", gives: "--1--#") { up in up.numbers.trace("numbers") }
            fuzz(passing: "%0.trace()") { parts in parts.up.trace() }
        }
    }
}

extension Walk {
    /// Delivers buffered events on the scheduler, all in one action. `keep` buffers one more event, and returns `false` if that is a
    /// failure.
    func buffering(_ keep: (inout [Int], Int) -> Bool) throws {
        var waiting: [Int] = []
        var stop: FuzzEvent?
        var isBusy = false
        try subscribe()
        try run { input in
            guard let signal = input.signal else {
                isBusy = false
                for element in waiting { next(element) }
                waiting = []
                if let stop { send(stop) }
                return
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

/// A value for `carrying(_:)`.
private enum CarriedNumber: Scope.Key {
    typealias Value = Int
}
