import StreamsTesting

let utilityChapter = chapter {
    FuzzOperator("%0.do(onNext: { note($0) }, onError: { note($0) }, onCompleted: { note(\"completed\") })") { parts in
        parts.up.do(
            onNext: { parts.note(.next($0)) }, onError: { parts.note(Signal(.error($0))) }, onCompleted: { parts.note(.completed) })
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if let signal = input.signal { walk.note(signal) }
            walk.pass(input)
        }
    }
    FuzzOperator("%0.do(onNext: { if $0 % 11 == #0 { throw TestError(\"do\") } })", 0...4) { parts in
        parts.up.do(onNext: { if $0 % 11 == parts.number { throw TestError("do") } })
    } reference: { walk in
        try walk.each { if $0 % 11 == walk.numbers[0] { walk.error("do") } else { walk.next($0) } }
    }
    FuzzOperator("%0.serialize()") { parts in
        parts.up.serialize()
    } reference: { walk in
        try walk.each { walk.next($0) }
    }
    // What sends in place cannot be let go before the closure has returned what lets it go: here it does not send in place.
    FuzzOperator("Observable.create { observer in %0.subscribe(on: scheduler).subscribe(observer) }") { parts in
        .create { [up = parts.up] observer in up.subscribe(on: parts.scheduler).subscribe(observer) }
    } reference: { walk in
        walk.timer(1, after: 0)
        try walk.run { input in
            if case .timer = input { try walk.subscribe() } else { walk.pass(input) }
        }
    }
    FuzzOperator("Observable.using({ BooleanDisposable() }, observableFactory: { _ in %0 })") { parts in
        .using({ BooleanDisposable() }, observableFactory: { [up = parts.up] _ in up })
    } reference: { walk in
        try walk.each { walk.next($0) }
    }
    FuzzOperator("%0.trace()") { parts in
        parts.up.trace()
    } reference: { walk in
        try walk.each { walk.next($0) }
    }
    FuzzOperator("%0.asSingle().asObservable()") { parts in
        parts.up.asSingle().asObservable()
    } reference: { walk in
        try walk.beingBrief { walk.error("StreamError.noElements") }
    }
    FuzzOperator("%0.asMaybe().asObservable()") { parts in
        parts.up.asMaybe().asObservable()
    } reference: { walk in
        try walk.beingBrief { walk.completed() }
    }
    FuzzOperator("%0.asCompletable().andThen(%1)") { parts in
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
}

extension Walk {
    /// One element at most, which is sent at the end.
    fileprivate func beingBrief(empty: () -> Void) throws {
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
