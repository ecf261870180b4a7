import StreamsTesting

extension Operator {
    /// Operators that make a stream without an upstream.
    static let creation = operators {
        Operator(
            "create(overflow:_:)", in: "Creation/Create", for: "turn callbacks into a stream",
            elsewhere: Names(
                rxSwift: "create", combine: "Future, AnyPublisher.create (CombineExt)", rxJava: "create", rxJS: "new Observable",
                flow: "callbackFlow",
                but: [.combine: ["Future": "runs once, when it is created, and keeps its result"]])
        ) {
            law([.lossless, .hot]) { up in .create { observer in up.source.subscribe(observer) } }
            law([.lossless, .hot], as: "bounded") { up in
                .create(overflow: .fail(capacity: .max)) { observer in up.source.subscribe(observer) }
            }
            picture(gives: "--(a|)") { up in
                Observable<String>.create { observer in
                    up.scheduler.schedule(after: .seconds(2)) {
                        observer.onNext("a")
                        observer.onCompleted()
                    }
                }
            }
            // A source that emits synchronously cannot be disposed before the closure has returned its disposable: here it is asynchronous.
            fuzz("Observable.create { observer in %0.subscribe(on: scheduler).subscribe(observer) }") { parts in
                .create { [up = parts.up] observer in up.subscribe(on: parts.scheduler).subscribe(observer) }
            } reference: { walk in
                try walk.subscribingLater(after: 0)
            }
            measured(in: "create, map, filter, map, one element")
        }
        Operator(
            "deferred(_:)", in: "Creation/Create", for: "create the stream for each subscription",
            elsewhere: Names(rxSwift: "deferred", combine: "Deferred", rxJava: "defer", rxJS: "defer", flow: "flow")
        ) {
            law(.lossless) { up in .deferred { try up.user(up.source) } }
            picture(gives: "(d|)") { _ in Observable.deferred { .just("d") } }
            fuzz(
                """
                Observable.deferred {
                    if scheduler.now < .seconds(#0) { throw TestError("early") }
                    return Observable.just(#1)
                }
                """, 0...20, 0...9
            ) { parts in
                .deferred {
                    if parts.scheduler.now < parts.time { throw TestError("early") }
                    return .just(parts.numbers[1])
                }
            } reference: { walk in
                if walk.now < walk.number { return walk.error("early") }
                walk.next(walk.numbers[1])
                walk.completed()
            }
        }
        Operator(
            "fromCallable(_:)", in: "Creation/Create", for: "call a function that returns or throws for each subscriber",
            elsewhere: Names(rxJava: "fromCallable")
        ) {
            law(.ignoresSource) { up in .fromCallable { try up.user(up.user.element(1)) } }
            picture(gives: "(t|)") { _ in Observable.fromCallable { "t" } }
            fuzz(
                "Observable.fromCallable { #0 }", 0...9, build: { parts in .fromCallable { parts.number } },
                reference: { $0.sends($0.number) })
        }
        Operator(
            "using(_:observableFactory:)", in: "Creation/Create", for: "create and release a resource with the subscription",
            elsewhere: Names(rxSwift: "using", rxJava: "using", rxJS: "using")
        ) {
            law(.lossless) { up in
                .using({ try up.user(BooleanDisposable()) }, observableFactory: { _ in try up.user(up.source, closure: 1) })
            }
            picture("--a--b--|", gives: "--a--b--|") { up in
                Observable.using({ BooleanDisposable() }, observableFactory: { _ in up.letters })
            }
            fuzz(passing: "Observable.using({ BooleanDisposable() }, observableFactory: { _ in %0 })") { parts in
                .using({ BooleanDisposable() }, observableFactory: { [up = parts.up] _ in up })
            }
        }
        Operator(
            "from(_:)", "from(_:scheduler:)", in: "Creation/From", for: "emit the elements of a sequence",
            elsewhere: Names(rxSwift: "from", combine: "Sequence.publisher", rxJava: "fromIterable", rxJS: "from", flow: "asFlow")
        ) {
            law(.ignoresSource) { up in .from([up.user.element(1), up.user.element(2)]) }
            law(.ignoresSource, as: "on a scheduler") { up in
                .from([up.user.element(1), up.user.element(2)], scheduler: up.scheduler)
            }
            picture(gives: "(123|)") { _ in Observable.from([1, 2, 3]) }
            fuzz("Observable.from([^, #0])", 0...9) { parts in
                .from([parts.element, parts.number])
            } reference: { walk in
                walk.next(walk.element)
                walk.next(walk.number)
                walk.completed()
            }
            fuzz("Observable.from([#0, #1], scheduler: scheduler)", 0...9, 0...9) { parts in
                .from([parts.number, parts.numbers[1]], scheduler: parts.scheduler)
            } reference: { walk in
                var left = walk.numbers.prefix(2)
                walk.timer(0, after: 0)
                try walk.run { _ in
                    guard let element = left.popFirst() else { return walk.completed() }
                    walk.next(element)
                    walk.timer(0, after: 0)
                }
            }
            measured(in: "array, map, one element")
        }
        Operator(
            "of(_:)", "of(_:scheduler:)", in: "Creation/From", for: "emit a few values",
            elsewhere: Names(rxSwift: "of", rxJava: "just", rxJS: "of", flow: "flowOf")
        ) {
            law(.ignoresSource) { up in .of(up.user.element(1), up.user.element(2)) }
            law(.ignoresSource, as: "on a scheduler") { up in
                .of(up.user.element(1), up.user.element(2), scheduler: up.scheduler)
            }
            picture(gives: "(ab|)") { _ in Observable.of("a", "b") }
            fuzz(
                "Observable.of(#0, #1)", 0...9, 0...9, build: { .of($0.number, $0.numbers[1]) },
                reference: { $0.sends($0.number, $0.numbers[1]) })
        }
        Operator(
            "from(optional:)", "from(optional:scheduler:)", in: "Creation/From", for: "emit one optional value, or nothing",
            elsewhere: Names(rxSwift: "from(optional:)", combine: "Optional.publisher", rxJava: "fromOptional")
        ) {
            law(.ignoresSource) { up in .from(optional: up.user.element(1)) }
            law(.ignoresSource, as: "on a scheduler") { up in .from(optional: up.user.element(1), scheduler: up.scheduler) }
            picture(gives: "(7|)") { _ in Observable.from(optional: Int("7")) }
            fuzz("Observable.from(optional: [0, 1, 2].firstIndex(of: #0))", 0...3) { parts in
                .from(optional: [0, 1, 2].firstIndex(of: parts.number))
            } reference: { walk in
                if walk.number < 3 { walk.sends(walk.number) } else { walk.completed() }
            }
        }
        Operator(
            "range(start:count:)", "range(start:count:scheduler:)", in: "Creation/From", for: "emit a range of numbers",
            elsewhere: Names(rxSwift: "range", rxJava: "range", rxJS: "range")
        ) {
            law(.ignoresSource) { up in Observable.range(start: 1, count: 3).map { try up.user(up.user.element($0)) } }
            law(.ignoresSource, as: "on a scheduler") { up in
                Observable.range(start: 1, count: 3, scheduler: up.scheduler).map { try up.user(up.user.element($0)) }
            }
            picture(gives: "(345|)") { _ in Observable.range(start: 3, count: 3) }
            fuzz("Observable.range(start: #0, count: #1)", 0...9, 0...3) { parts in
                .range(start: parts.number, count: parts.numbers[1])
            } reference: { walk in
                for offset in 0..<walk.numbers[1] { walk.next(walk.number + offset) }
                walk.completed()
            }
            measured(in: "range, map, filter, scan, one element")
        }
        Operator(
            "just(_:)", "just(_:scheduler:)", in: "Creation/Just", for: "emit one value",
            elsewhere: Names(rxSwift: "just", combine: "Just", rxJava: "just", rxJS: "of", flow: "flowOf")
        ) {
            law(.ignoresSource) { up in .just(up.user.element(1)) }
            law(.ignoresSource, as: "on a scheduler") { up in .just(up.user.element(1), scheduler: up.scheduler) }
            picture(gives: "(1|)") { _ in Observable.just(1) }
            fuzz("Observable.just(^)", build: { .just($0.element) }, reference: { $0.sends($0.element) })
            fuzz("Observable.just(#0, scheduler: scheduler)", 0...9) { parts in
                .just(parts.number, scheduler: parts.scheduler)
            } reference: { walk in
                walk.timer(0, after: 0)
                try walk.run { _ in
                    walk.next(walk.number)
                    walk.completed()
                }
            }
            measured(in: "just, map, subscribe, once")
        }
        Operator(
            "empty()", in: "Creation/Just", for: "complete immediately",
            elsewhere: Names(rxSwift: "empty", combine: "Empty", rxJava: "empty", rxJS: "EMPTY", flow: "emptyFlow")
        ) {
            law(.ignoresSource) { _ in .empty() }
            picture(gives: "|") { _ in Observable<Int>.empty() }
            fuzz("Observable<Int>.empty()", build: { _ in .empty() }, reference: { $0.completed() })
        }
        Operator(
            "never()", in: "Creation/Just", for: "emit nothing, and never terminate",
            elsewhere: Names(rxSwift: "never", combine: "Empty(completeImmediately: false)", rxJava: "never", rxJS: "NEVER")
        ) {
            law([.ignoresSource, .endless]) { _ in .never() }
            fuzz("Observable<Int>.never()") { _ in
                .never()
            } reference: { _ in
            }
            picture(gives: "-----") { _ in Observable<Int>.never() }
        }
        Operator(
            "error(_:)", "fail(with:)", in: "Creation/Just", for: "fail immediately",
            elsewhere: Names(rxSwift: "error", combine: "Fail", rxJava: "error", rxJS: "throwError")
        ) {
            law([.ignoresSource, .endless]) { _ in .error(TestError.failed) }
            law([.ignoresSource, .endless], as: "fail(with:)") { _ in .fail(with: TestError.failed) }
            picture(gives: "#") { _ in Observable<Int>.error(TestError.failed) }
            fuzz(
                "Observable<Int>.error(TestError(\"error\"))", build: { _ in .error(TestError("error")) }, reference: { $0.error("error") })
        }
        Operator(
            "repeatElement(_:scheduler:)", in: "Creation/Repeat", for: "emit one value indefinitely",
            elsewhere: Names(rxSwift: "repeatElement")
        ) {
            law(.ignoresSource) { up in .repeatElement(up.user.element(1)).take(3) }
            law(.ignoresSource, as: "on a scheduler") { up in .repeatElement(up.user.element(1), scheduler: up.scheduler).take(3) }
            picture(gives: "(aaa|)") { _ in Observable.repeatElement("a").take(3) }
            fuzz("Observable.repeatElement(#0, scheduler: scheduler).take(#1)", 0...9, 1...3) { parts in
                .repeatElement(parts.number, scheduler: parts.scheduler).take(parts.numbers[1])
            } reference: { walk in
                var left = walk.numbers[1]
                walk.timer(0, after: 0)
                try walk.run { _ in
                    walk.next(walk.number)
                    left -= 1
                    if left == 0 { walk.completed() }
                    walk.timer(0, after: 0)
                }
            }
        }
        Operator(
            "generate(initialState:condition:iterate:)", "generate(initialState:condition:scheduler:iterate:)", in: "Creation/Repeat",
            for: "generate each value from the previous one",
            elsewhere: Names(rxSwift: "generate", rxJava: "generate", rxJS: "generate")
        ) {
            law(.ignoresSource) { up in
                .generate(
                    initialState: up.user.element(1),
                    condition: { try up.user($0.value < 5) },
                    iterate: { try up.user(up.user.element($0.value + 1), closure: 1) })
            }
            law(.ignoresSource, as: "on a scheduler") { up in
                .generate(
                    initialState: up.user.element(1),
                    condition: { try up.user($0.value < 5) },
                    scheduler: up.scheduler,
                    iterate: { try up.user(up.user.element($0.value + 1), closure: 1) })
            }
            picture(gives: "(1248|)") { _ in Observable.generate(initialState: 1, condition: { $0 < 9 }, iterate: { $0 * 2 }) }
            fuzz("Observable.generate(initialState: #0, condition: { $0 < 20 }, iterate: { $0 * 2 + 1 })", 5...30) { parts in
                .generate(initialState: parts.number, condition: { $0 < 20 }, iterate: { $0 * 2 + 1 })
            } reference: { walk in
                var element = walk.number
                while element < 20 {
                    walk.next(element)
                    element = element * 2 + 1
                }
                walk.completed()
            }
        }
        Operator(
            "repeat(count:)", in: "Creation/Repeat", for: "repeat a stream when it completes",
            elsewhere: Names(rxJava: "repeat", rxJS: "repeat")
        ) {
            law(.lossless) { up in up.source.repeat(count: 1) }
            picture(cold: "--1|", gives: "--1--1|", subscribed: "^--! ---^--!") { up in up.letters.repeat(count: 2) }
            fuzz("%0.repeat(count: #0)", 0...3) { parts in
                parts.up.repeat(count: parts.number)
            } reference: { walk in
                var left = walk.number
                guard left > 0 else { return walk.completed() }
                try walk.subscribe()
                try walk.run { input in
                    guard case .completed = input, left > 1 else { return walk.pass(input) }
                    left -= 1
                    try walk.subscribe()
                }
            }
            measured(in: "repeat of just, one time")
        }
    }
}
