import StreamsTesting

extension Operator {
    /// Operators that state a guarantee of a stream in its type.
    static let traits = operators {
        Operator(
            "asInfallible(onErrorJustReturn:)", "asInfallible(onErrorFallbackTo:)", "asInfallible(onErrorRecover:)",
            in: "Traits/Infallible", for: "express in the type that a stream cannot fail",
            elsewhere: Names(rxSwift: "asInfallible", combine: "replaceError(with:)")
        ) {
            law([.lossless, .handlesErrors]) { up in up.source.asInfallible(onErrorJustReturn: up.user.element(9)).map { $0 }.asObservable()
            }
            fuzz("%0.asInfallible(onErrorJustReturn: #0).asObservable()", 0...9) { parts in
                parts.up.asInfallible(onErrorJustReturn: parts.number).asObservable()
            } eachInput: { walk, input in
                if case .error = input { walk.next(walk.number) }
                if case .next = input { walk.pass(input) } else { walk.completed() }
            }
            picture("--1--#", gives: "--1--(9|)") { up in up.numbers.asInfallible(onErrorJustReturn: 9).asObservable() }
        }
        Operator(
            "asSingle()", in: "Traits/Single", for: "express in the type that there is one element",
            elsewhere: Names(rxSwift: "asSingle", rxJava: "singleOrError")
        ) {
            law(.endsEarly) { up in up.source.take(1).asSingle().map { try up.user($0) }.asObservable() }
            fuzz(
                "%0.asSingle().asObservable()", build: { $0.up.asSingle().asObservable() },
                reference: { walk in try walk.beingBrief { walk.error("StreamError.noElements") } })
            picture("--1--|", gives: "-----(1|)") { up in up.numbers.asSingle().asObservable() }
        }
        Operator(
            "asMaybe()", in: "Traits/Maybe", for: "express in the type that there is at most one element",
            elsewhere: Names(rxSwift: "asMaybe", rxJava: "singleElement")
        ) {
            law(.endsEarly) { up in up.source.take(1).asMaybe().map { try up.user($0) }.asObservable() }
            fuzz(
                "%0.asMaybe().asObservable()", build: { $0.up.asMaybe().asObservable() },
                reference: { walk in try walk.beingBrief { walk.completed() } })
            picture("-----|", gives: "-----|") { up in up.numbers.asMaybe().asObservable() }
        }
        Operator(
            "asCompletable()", in: "Traits/Completable", for: "express in the type that there is only a terminal event",
            elsewhere: Names(rxSwift: "asCompletable", combine: "ignoreOutput", rxJava: "ignoreElements")
        ) {
            law { up in up.source.asCompletable().andThen(Observable.just(up.user.element(9))) }
            fuzz("%0.asCompletable().andThen(%1)") { parts in
                parts.up.asCompletable().andThen(parts.other)
            } reference: { walk in
                try walk.subscribe(0)
                try walk.run { input in
                    switch input {
                    case .next(_, from: 0): break
                    case .completed(from: 0): try walk.subscribe(1)
                    default: walk.pass(input)
                    }
                }
            }
            picture("--1--2--|", gives: "--------|") { up in up.numbers.asCompletable().asObservable() }
        }
        Operator(
            "asDriver(onErrorJustReturn:)", "asDriver(onErrorDriveWith:)", "asDriver(onErrorRecover:)", in: "Traits/Driver",
            for: "drive views with the latest element, on the main loop, without errors",
            elsewhere: Names(rxSwift: "asDriver", flow: "stateIn")
        ) {
            without(.law, .picture, .fuzz, because: "it delivers on the main loop: DriverTests run it")
        }
        Operator(
            "asSignal(onErrorJustReturn:)", "asSignal(onErrorSignalWith:)", "asSignal(onErrorRecover:)", in: "Traits/Signal",
            for: "deliver events to views, on the main loop, without errors",
            elsewhere: Names(rxSwift: "asSignal", flow: "shareIn")
        ) {
            without(.law, .picture, .fuzz, because: "it delivers on the main loop: SignalTests run it")
        }
    }
}

extension Walk {
    /// Sends at most one element, at the end.
    func beingBrief(empty: () -> Void) throws {
        var only: Int?
        try each { element in
            if only != nil { error("StreamError.moreThanOneElement") }
            only = element
        } completed: {
            guard let only else { return empty() }
            next(only)
            completed()
        }
    }
}
