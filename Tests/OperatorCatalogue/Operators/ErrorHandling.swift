import StreamsTesting

extension Operator {
    /// Operators that handle errors.
    static let errorHandling = operators {
        Operator(
            "catch(_:)", in: "ErrorHandling/Catch", for: "continue with another stream after an error",
            elsewhere: Names(rxSwift: "catch", combine: "catch, tryCatch", rxJava: "onErrorResumeNext", rxJS: "catchError", flow: "catch")
        ) {
            law([.lossless, .handlesErrors]) { up in up.source.catch { _ in .just(try up.user(up.user.element(9))) } }
            law([.lossless, .handlesErrors], as: "to the other") { up in up.source.catch { _ in try up.user(up.other) } }
            picture("--1--#", gives: "--1--(2|)") { up in up.numbers.catch { _ in .just(2) } }
            fuzz("%0.catch { _ in %1 }") { parts in
                parts.up.catch { [other = parts.other] _ in other }
            } reference: { walk in
                try walk.subscribe(0)
                try walk.run { input in
                    if case .error(_, from: 0) = input { try walk.subscribe(1) } else { walk.pass(input) }
                }
            }
            fuzz("%0.catch { _ in throw TestError(\"handler\") }") { parts in
                parts.up.catch { _ in throw TestError("handler") }
            } eachInput: { walk, input in
                if case .error = input { walk.error("handler") } else { walk.pass(input) }
            }
        }
        Operator(
            "catchAndReturn(_:)", "replaceError(with:)", in: "ErrorHandling/Catch", for: "emit one last element instead of failing",
            elsewhere: Names(rxSwift: "catchAndReturn", combine: "replaceError(with:)", rxJava: "onErrorReturnItem", flow: "catch")
        ) {
            law([.lossless, .handlesErrors]) { up in up.source.catchAndReturn(up.user.element(9)) }
            law([.lossless, .handlesErrors], as: "as an infallible stream") { up in
                up.source.replaceError(with: up.user.element(9)).asObservable()
            }
            picture("--1--#", gives: "--1--(0|)") { up in up.numbers.catchAndReturn(0) }
            fuzz("%0.catchAndReturn(#0)", 0...9) { parts in
                parts.up.catchAndReturn(parts.number)
            } eachInput: { walk, input in
                if case .error = input { walk.next(walk.number) }
                if case .next = input { walk.pass(input) } else { walk.completed() }
            }
        }
        Operator(
            "catchAndComplete()", in: "ErrorHandling/Catch", for: "complete instead of failing",
            elsewhere: Names(rxSwift: "catchErrorJustComplete (RxSwiftExt)", rxJava: "onErrorComplete", flow: "catch {}")
        ) {
            law([.lossless, .handlesErrors]) { up in up.source.catchAndComplete() }
            picture("--1--#", gives: "--1--|") { up in up.numbers.catchAndComplete() }
            fuzz("%0.catchAndComplete()") { parts in
                parts.up.catchAndComplete()
            } eachInput: { walk, input in
                if case .error = input { walk.completed() } else { walk.pass(input) }
            }
        }
        Operator("mapError(_:)", in: "ErrorHandling/Catch", for: "map an error to another", elsewhere: Names(combine: "mapError")) {
            law(.lossless) { up in up.source.mapError { try up.user($0) } }
            picture("--1--#", gives: "--1--#", failing: TestError("other")) { up in up.numbers.mapError { _ in TestError("other") } }
            fuzz("%0.mapError { _ in TestError(\"mapped\") }") { parts in
                parts.up.mapError { _ in TestError("mapped") }
            } eachInput: { walk, input in
                if case .error = input { walk.error("mapped") } else { walk.pass(input) }
            }
        }
        Operator(
            "catch(sequence:)", in: "ErrorHandling/Catch", for: "try several sources until one does not fail",
            elsewhere: Names(rxSwift: "catch(sequence:)")
        ) {
            law([.lossless, .handlesErrors]) { up in .catch(sequence: [up.source, up.other]) }
            picture(
                "--1--#", "---2---3--|", gives: "--1----3--|", subscribed: "^----!", "-----^----!"
            ) { up in Observable.catch(sequence: [up.letters, up.others]) }
            fuzz("Observable.catch(sequence: [%0, %1, %2])") { parts in
                .catch(sequence: parts.upstreams)
            } reference: { walk in
                try walk.subscribe(0)
                try walk.run { input in
                    if case .error(_, let place) = input, place < 2 { try walk.subscribe(place + 1) } else { walk.pass(input) }
                }
            }
        }
        Operator(
            "convertToResult()", in: "ErrorHandling/ConvertToResult", for: "emit elements and the error as results",
            elsewhere: Names(rxSwift: "mapToResult (RxSwiftExt)", combine: "mapToResult (CombineExt)")
        ) {
            law([.lossless, .handlesErrors]) { up in up.source.convertToResult().compactMap { try? $0.get() }.asObservable() }
            picture("--1--#", gives: "--a--(b|)", where: ["a": "success(1)", "b": "failure(failed)"]) { up in
                up.numbers.convertToResult().asObservable().map { result in
                    switch result {
                    case .success(let number): "success(\(number))"
                    case .failure(let error): "failure(\(error))"
                    }
                }
            }
            fuzz("%0.convertToResult().map { (try? $0.get()) ?? -1 }") { parts in
                parts.up.convertToResult().map { (try? $0.get()) ?? -1 }.asObservable()
            } eachInput: { walk, input in
                if case .error = input { walk.next(-1) }
                if case .next = input { walk.pass(input) } else { walk.completed() }
            }
        }
        Operator(
            "convertToLoadingState(startingWithLoading:)", in: "ErrorHandling/ConvertToResult",
            for: "emit loading, loaded and failed as elements, for a view"
        ) {
            law([.lossless, .handlesErrors]) { up in
                up.source.convertToLoadingState(startingWithLoading: true).compactMap { $0.value }.asObservable()
            }
            picture("--1--#", gives: "a-b--(c|)", where: ["a": "loading", "b": "loaded(1)", "c": "failed(failed)"]) { up in
                up.numbers.convertToLoadingState(startingWithLoading: true).asObservable().map { state in
                    switch state {
                    case .failed(let error): "failed(\(error))"
                    default: "\(state)"
                    }
                }
            }
            without(.fuzz, because: "convertToResult in other words")
        }
        Operator("catch(as:_:)", in: "ErrorHandling/TypedErrors", for: "handle errors of one type") {
            law(.lossless) { up in up.source.catch(as: TypedFailure.self) { _ in up.other } }
            picture("--1--#", gives: "--1--(2|)") { up in up.numbers.catch(as: TestError.self) { _ in .just(2) } }
            fuzz("%0.catch(as: TestError.self) { _ in %1 }") { parts in
                parts.up.catch(as: TestError.self) { [other = parts.other] _ in other }
            } reference: { walk in
                try walk.subscribe(0)
                try walk.run { input in
                    if case .error(let name, from: 0) = input, name != "\(Aborter.OperationAborted())", !name.hasPrefix("StreamError") {
                        try walk.subscribe(1)
                    } else {
                        walk.pass(input)
                    }
                }
            }
        }
        Operator(
            "mapError(as:_:)", in: "ErrorHandling/TypedErrors", for: "map all errors to one type",
            elsewhere: Names(combine: "mapError")
        ) {
            law(.lossless) { up in up.source.mapError(as: ProbeError.self) { _ in ProbeError() } }
            picture("--1--#", gives: "--1--#", failing: TypedFailure(error: TestError.failed)) { up in
                up.numbers.mapError(as: TypedFailure.self) { TypedFailure(error: $0) }
            }
            without(.fuzz, because: "mapError, and the type is the compiler's")
        }
        Operator("convertToResult(_:)", in: "ErrorHandling/TypedErrors", for: "emit elements and a typed error as results") {
            law([.lossless, .handlesErrors]) { up in
                up.source.convertToResult { error in TypedFailure(error: error) }.compactMap { try? $0.get() }.asObservable()
            }
            picture("--1--#", gives: "--a--(b|)", where: ["a": "success(1)", "b": "failure(wrapped(failed))"]) { up in
                up.numbers.convertToResult { TypedFailure(error: $0) }.asObservable().map { result in
                    switch result {
                    case .success(let number): "success(\(number))"
                    case .failure(let failure): "failure(wrapped(\(failure.error)))"
                    }
                }
            }
            without(.fuzz, because: "as convertToResult()")
        }
        Operator(
            "retry()", "retry(_:)", in: "ErrorHandling/Retry", for: "retry immediately",
            elsewhere: Names(
                rxSwift: "retry", combine: "retry", rxJava: "retry", rxJS: "retry", flow: "retry",
                but: [
                    .combine: ["retry": "counts the repetitions: `retry(2)` is `retry(3)` here"],
                    .rxJava: ["retry": "counts the repetitions: `retry(2)` is `retry(3)` here"],
                    .rxJS: ["retry": "counts the repetitions: `retry(2)` is `retry(3)` here"],
                    .flow: ["retry": "counts the repetitions: `retry(2)` is `retry(3)` here"],
                ])
        ) {
            law([.lossless, .handlesErrors, .resubscribes]) { up in up.source.retry() }
            law(.lossless, as: "once") { up in up.source.retry(1) }
            picture(cold: "--1--#", gives: "--1----1--#", subscribed: "^----! -----^----!") { up in up.letters.retry(2) }
            fuzz("%0.retry(#0)", 0...3) { parts in
                parts.up.retry(parts.number)
            } reference: { walk in
                var left = walk.number
                try walk.subscribe()
                try walk.run { input in
                    guard case .error(let name, from: _) = input, left > 1, name != "\(Aborter.OperationAborted())" else {
                        return walk.pass(input)
                    }
                    left -= 1
                    try walk.subscribe()
                }
            }
            measured(in: "retry, one attempt of a hundred thousand")
        }
        Operator(
            "retry(_:scheduler:)", in: "ErrorHandling/RetryPolicy", for: "retry with a policy: delays, limits, which errors",
            elsewhere: Names(
                rxSwift: "retry with a behavior (RxSwiftExt)", rxJava: "retryWhen", rxJS: "retry({ count, delay })", flow: "retryWhen",
                but: [.rxSwift: ["retry with a behavior (RxSwiftExt)": "`multiplier: 1` doubles the delay, as `factor: 2` does here"]])
        ) {
            law([.lossless, .handlesErrors, .resubscribes], as: "by a policy") { up in
                up.source.retry(.delay(.seconds(1), maxAttempts: .max), scheduler: up.scheduler)
            }
            picture(
                cold: "--1#", gives: "--1----1#", subscribed: "^--! -----^--!"
            ) { up in up.letters.retry(.delay(.seconds(2), maxAttempts: 2), scheduler: up.scheduler) }
            fuzz("%0.retry(.linear(step: .seconds(#0), maxAttempts: #1), scheduler: scheduler)", 0...4, 0...3) { parts in
                parts.up.retry(.linear(step: parts.time, maxAttempts: parts.numbers[1]), scheduler: parts.scheduler)
            } reference: { walk in
                var failures = 0
                try walk.subscribe()
                try walk.run { input in
                    switch input {
                    case .error(let name, from: _) where failures + 1 < walk.numbers[1] && name != "\(Aborter.OperationAborted())":
                        failures += 1
                        if walk.number == 0 { try walk.subscribe() } else { walk.timer(1, after: walk.number * failures) }
                    case .timer: try walk.subscribe()
                    default: walk.pass(input)
                    }
                }
            }
        }
        Operator(
            "retry(when:)", "retry(as:when:)", in: "ErrorHandling/RetryWhen", for: "retry when another stream emits",
            elsewhere: Names(
                rxSwift: "retry(when:)", combine: "retryWhen (CombineExt)", rxJava: "retryWhen", rxJS: "retryWhen", flow: "retryWhen",
                but: [
                    .rxJava: ["retryWhen": "the end of its stream ends an attempt; here it counts at the next error"],
                    .rxJS: [
                        "retryWhen":
                            "calls its closure at the first error, here when subscribing; the end of its stream ends an attempt; here "
                            + "it counts at the next error"
                    ],
                ])
        ) {
            law([.lossless, .handlesErrors, .resubscribes]) { up in
                up.source.retry(when: { errors in errors.map { try up.user($0, closure: 1) } })
            }
            law(.lossless, as: "of another type of error") { up in up.source.retry(as: TypedFailure.self, when: { $0 }) }
            law(.lossless, as: "never") { up in up.source.retry(when: { errors in errors.flatMap { Observable<Int>.error($0) } }) }
            picture(
                cold: "-1#", gives: "-1---(1|)", subscribed: "^-! ----^!"
            ) { up in up.letters.retry(when: { errors in errors.delay(.seconds(2), scheduler: up.scheduler) }).take(2) }
            fuzz(
                """
                %0.retry(when: { errors in
                    errors.enumerated().map { if $0.index >= #0 { throw $0.element } }
                })
                """, 0...3
            ) { parts in
                parts.up.retry(when: { errors in
                    errors.enumerated().map { if $0.index >= parts.number { throw $0.element } }
                })
            } reference: { walk in
                var left = walk.number
                try walk.subscribe()
                try walk.run { input in
                    guard case .error = input, left > 0 else { return walk.pass(input) }
                    left -= 1
                    try walk.subscribe()
                }
            }
            fuzz(
                """
                %0.retry(when: { errors in
                    errors.enumerated().flatMap { index, error in
                        index < #0 ? Observable<Int>.timer(.seconds(#1), scheduler: scheduler) : Observable.error(error)
                    }
                })
                """, 0...3, 0...4
            ) { parts in
                parts.up.retry(when: { errors in
                    errors.enumerated().flatMap { index, error in
                        index < parts.number
                            ? Observable<Int>.timer(.seconds(parts.numbers[1]), scheduler: parts.scheduler) : Observable.error(error)
                    }
                })
            } reference: { walk in
                var left = walk.number
                try walk.subscribe()
                try walk.run { input in
                    switch input {
                    case .error where left > 0:
                        left -= 1
                        walk.timer(1, after: walk.numbers[1])
                    case .timer: try walk.subscribe()
                    default: walk.pass(input)
                    }
                }
            }
        }
    }
}
