import StreamsTesting

/// The lines of the law table for the operators tested in this folder.
let furtherOperatorRows =
    furtherTransformingRows + furtherStreamRows + furtherFilteringRows + furtherPlaceRows + furtherCombiningRows + furtherRecoveryRows
    + furtherAnswerRows + traitRows

private let furtherTransformingRows = rows {
    OperatorRow("pairwise") { up in up.source.pairwise().map { $1 } }
    OperatorRow("nwise") { up in up.source.nwise(2).map { $0[1] } }
    OperatorRow("enumerated", .lossless) { up in up.source.enumerated().map(\.element) }
    OperatorRow("flatMapIterable", .lossless) { up in up.source.flatMapIterable { [try up.user($0)] } }
    OperatorRow("scan(into:)", .lossless) { up in
        up.source.scan(into: up.user.element(0)) { result, element in result = try up.user(element) }
    }
    OperatorRow("cast", .lossless) { up in up.source.cast(to: Probed.self) }
    OperatorRow("ofType", .lossless) { up in up.source.ofType(Probed.self) }
    OperatorRow("materialize and dematerialize", .lossless) { up in up.source.materialize().dematerialize() }
    OperatorRow("elements", [.lossless, .handlesErrors]) { up in up.source.materialize().elements() }
    OperatorRow("errors", .handlesErrors) { up in up.source.materialize().errors().map { _ in up.user.element(9) } }
    OperatorRow("timestamp", .lossless) { up in up.source.timestamp(scheduler: up.scheduler).map(\.value) }
    OperatorRow("timeInterval", .lossless) { up in up.source.timeInterval(scheduler: up.scheduler).map(\.value) }
    OperatorRow("withUnretained", .lossless) { up in up.source.withUnretained(up.user) { try $0($1) } }
    OperatorRow("validate", .lossless) { up in up.source.validate { _ in try up.user(()) } }
    OperatorRow("unwrap(orThrow:)", .lossless) { up in up.source.map { Optional($0) }.unwrap(orThrow: TestError.failed) }
    OperatorRow("replaceNil", .lossless) { up in up.source.map { Optional($0) }.replaceNil(with: up.user.element(9)) }
    OperatorRow("convertToResult of a type", [.lossless, .handlesErrors]) { up in
        up.source.convertToResult { error in TypedFailure(error: error) }.compactMap { try? $0.get() }.asObservable()
    }
    OperatorRow("catch(as:)", .lossless) { up in up.source.catch(as: TypedFailure.self) { _ in up.other } }
    OperatorRow("mapError(as:)", .lossless) { up in up.source.mapError(as: ProbeError.self) { _ in ProbeError() } }
    OperatorRow("convertToResult", [.lossless, .handlesErrors]) { up in
        up.source.convertToResult().compactMap { try? $0.get() }.asObservable()
    }
    OperatorRow("convertToLoadingState", [.lossless, .handlesErrors]) { up in
        up.source.convertToLoadingState(startingWithLoading: true).compactMap(\.value).asObservable()
    }
}

private let furtherStreamRows = rows {
    OperatorRow("expand") { up in up.source.expand { $0.value < 200 ? .just(try up.user(up.user.element(900))) : .empty() } }
    OperatorRow("concatMapEager", .lossless) { up in up.source.concatMapEager { Observable.just(try up.user($0)) } }
    OperatorRow("concatMapEager to the other") { up in up.source.concatMapEager(maxConcurrent: 2) { _ in try up.user(up.other.take(1)) } }
    OperatorRow("flatMapOutcome", .endsEarly) { up in up.source.flatMapOutcome { .just(try up.user($0.get())) } }
    OperatorRow("flatMapOutcome to the other", .handlesErrors) { up in up.source.flatMapOutcome { _ in try up.user(up.other) } }
    OperatorRow("groupBy") { up in up.source.groupBy { try up.user($0.value % 2) }.flatMap { $0 } }
    OperatorRow("groupBy, buffered", .lossless) { up in up.source.groupBy(bufferSize: 1) { _ in try up.user(0) }.flatMap { $0 } }
    OperatorRow("buffer(timeSpan:count:)") { up in
        up.source.buffer(timeSpan: .seconds(1), count: 2, scheduler: up.scheduler).compactMap(\.last)
    }
    OperatorRow("buffer(count:)") { up in up.source.buffer(count: 2).compactMap(\.last) }
    OperatorRow("buffer(count:skip:)", .lossless) { up in up.source.buffer(count: 1, skip: 1).compactMap(\.last) }
    OperatorRow("buffer(boundary:)") { up in up.source.buffer(boundary: up.other).compactMap(\.last) }
    OperatorRow("window(timeSpan:count:)", .lossless) { up in
        up.source.window(timeSpan: .seconds(1), count: 2, scheduler: up.scheduler).concatMap { $0 }
    }
    OperatorRow("window(count:)", .lossless) { up in up.source.window(count: 2).flatMap { $0 } }
    OperatorRow("window(boundary:)") { up in up.source.window(boundary: up.other).flatMap { $0 } }
}

private let furtherFilteringRows = rows {
    OperatorRow("ignoreElements") { up in up.source.ignoreElements().ofType(Probed.self) }
    OperatorRow("distinct") { up in up.source.distinct() }
    OperatorRow("distinct, bounded") { up in up.source.distinct(capacity: 2) { try up.user($0) } }
    OperatorRow("sample") { up in up.source.sample(up.other) }
    OperatorRow("sample by time") { up in up.source.sample(.seconds(1), scheduler: up.scheduler) }
    OperatorRow("audit") { up in up.source.audit(.seconds(1), scheduler: up.scheduler) }
    OperatorRow("pausable") { up in up.source.pausable(up.other.map { _ in true }) }
    OperatorRow("partition", .shares) { up in up.source.partition { try up.user($0.value > 1) }.matches }
}

private let furtherPlaceRows = rows {
    OperatorRow("element(at:)", .endsEarly) { up in up.source.element(at: 1) }
    OperatorRow("first", .endsEarly) { up in up.source.first() }
    OperatorRow("last") { up in up.source.last() }
    OperatorRow("single", .endsEarly) { up in up.source.single { try up.user($0.value == 2) } }
    OperatorRow("take(for:)", .endsEarly) { up in up.source.take(for: .seconds(5), scheduler: up.scheduler) }
    OperatorRow("takeLast") { up in up.source.takeLast(2) }
    OperatorRow("takeLast(for:)") { up in up.source.takeLast(for: .seconds(1), scheduler: up.scheduler) }
    OperatorRow("skip(while:)") { up in up.source.skip(while: { try up.user($0.value < 2) }) }
    OperatorRow("skip(until:)") { up in up.source.skip(until: up.other) }
    OperatorRow("skip(for:)") { up in up.source.skip(for: .seconds(1), scheduler: up.scheduler) }
    OperatorRow("skipLast") { up in up.source.skipLast(1) }
}

private let furtherCombiningRows = rows {
    OperatorRow("zip 2") { up in .zip(up.source, up.other) { element, _ in try up.user(element) } }
    OperatorRow("zip 3") { up in .zip(up.source, up.other, up.other) { element, _, _ in try up.user(element) } }
    OperatorRow("zip 8") { up in
        .zip(up.source, up.other, up.other, up.other, up.other, up.other, up.other, up.other) { element, _, _, _, _, _, _, _ in
            try up.user(element)
        }
    }
    OperatorRow("zip collection") { up in .zip([up.source, up.other]) { try up.user($0[0]) } }
    OperatorRow("zip delaying errors") { up in .zip(up.source, up.other, delayErrors: true) { element, _ in try up.user(element) } }
    OperatorRow("combineLatest delaying errors") { up in
        .combineLatest(up.source, up.other, delayErrors: true) { element, _ in try up.user(element) }
    }
    OperatorRow("concat delaying errors") { up in up.source.concat(up.other, delayErrors: true) }
    OperatorRow("amb") { up in up.source.amb(up.other.skip(1_000)) }
    OperatorRow("ifEmpty(default:)", .lossless) { up in up.source.ifEmpty(default: up.user.element(9)) }
    OperatorRow("ifEmpty(switchTo:)", .lossless) { up in up.source.ifEmpty(switchTo: up.other) }
    OperatorRow("replaceEmpty", .lossless) { up in up.source.replaceEmpty(with: up.user.element(9)) }
    OperatorRow("sequenceEqual", .endsEarly) { up in up.source.sequenceEqual(up.other).map { up.user.element($0 ? 1 : 0) } }
    OperatorRow("withLatestFrom 2") { up in up.source.withLatestFrom(up.other, up.other) { element, _, _ in try up.user(element) } }
    OperatorRow("withLatestFrom 3") { up in
        up.source.withLatestFrom(up.other, up.other, up.other) { element, _, _, _ in try up.user(element) }
    }
}

private let furtherRecoveryRows = rows {
    OperatorRow("catch(sequence:)", [.lossless, .handlesErrors]) { up in .catch(sequence: [up.source, up.other]) }
    OperatorRow("retry by a policy", [.lossless, .handlesErrors, .resubscribes]) { up in
        up.source.retry(.delay(.seconds(1), maxAttempts: .max), scheduler: up.scheduler)
    }
    OperatorRow("repeat", .lossless) { up in up.source.repeat(count: 1) }
    OperatorRow("intervalRange", .ignoresSource) { up in
        Observable.intervalRange(start: 1, count: 3, initialDelay: .zero, period: .seconds(1), scheduler: up.scheduler)
            .map(up.user.element)
    }
    OperatorRow("serialize", .lossless) { up in up.source.serialize() }
    OperatorRow("apply", .lossless) { up in up.source.apply { $0.map { try up.user($0) } } }
    OperatorRow("debug", .lossless) { up in up.source.debug("table") { _ in } }
    OperatorRow("trace", .lossless) { up in up.source.trace() }
    OperatorRow("create(overflow:)", .lossless) { up in
        .create(overflow: .fail(capacity: .max)) { observer in up.source.subscribe(observer) }
    }
}

private let furtherAnswerRows = rows {
    OperatorRow("toSet") { up in up.source.toSet().map { up.user.element($0.count) } }
    OperatorRow("toDictionary") { up in up.source.toDictionary { try up.user($0) }.map { up.user.element($0.count) } }
    OperatorRow("sorted") { up in up.source.sorted().map { up.user.element($0.count) } }
    OperatorRow("count") { up in up.source.count().map(up.user.element) }
    OperatorRow("min") { up in up.source.min() }
    OperatorRow("max") { up in up.source.max { try up.user($0 < $1) } }
    OperatorRow("sum") { up in up.source.map(\.value).sum().map(up.user.element) }
    OperatorRow("average") { up in up.source.map(\.value).average().map { up.user.element(Int($0)) } }
    OperatorRow("all", .endsEarly) { up in up.source.all { try up.user($0.value < 2) }.map { up.user.element($0 ? 1 : 0) } }
    OperatorRow("any", .endsEarly) { up in up.source.any { try up.user($0.value == 2) }.map { up.user.element($0 ? 1 : 0) } }
    OperatorRow("contains", .endsEarly) { up in up.source.contains(up.user.element(2)).map { up.user.element($0 ? 1 : 0) } }
    OperatorRow("isEmpty", .endsEarly) { up in up.source.isEmpty().map { up.user.element($0 ? 1 : 0) } }
}

private let traitRows = rows {
    OperatorRow("asInfallible", [.lossless, .handlesErrors]) { up in
        up.source.asInfallible(onErrorJustReturn: up.user.element(9)).map { $0 }.asObservable()
    }
    OperatorRow("asSingle", .endsEarly) { up in up.source.take(1).asSingle().map { try up.user($0) }.asObservable() }
    OperatorRow("asMaybe", .endsEarly) { up in up.source.take(1).asMaybe().map { try up.user($0) }.asObservable() }
    OperatorRow("asCompletable") { up in up.source.asCompletable().andThen(Observable.just(up.user.element(9))) }
}

/// An error of one type around any other.
struct TypedFailure: Error {
    let error: any Error
}
