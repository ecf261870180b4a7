"""Operators of errors."""

from row import *

row("catch(sequence:)", "Observable<Element>.catch(sequence: [FAILING(1), SOURCE(2, 1)])", emits(0, 1, 2))
row("catch(_:)", "FAILING(1).catch { _ in .of(make(7), make(8)) }", emits(0, 7, 8))
row("catch(as:_:)", "FAILING(1).catch(as: Fault.self) { e in e == .a ? .just(make(7)) : .empty() }", emits(0, 7))
row("catchAndComplete()", "FAILING(1).catchAndComplete()", emits(0))
row("catchAndReturn(_:)", "FAILING(1).catchAndReturn(make(5))", emits(0, 5))
row("replaceError(with:)", "FAILING(1).replaceError(with: make(5)).asObservable()", emits(0, 5))
row(
    "convertToLoadingState(startingWithLoading:)", "SOURCE(1).convertToLoadingState(startingWithLoading: true).asObservable()",
    "[-7, keyed(0), completed]", read="{ switch x { case .loaded(let y): key(y); case .loading: -7; case .failed: -8; case .idle: -9 } }()")
row(
    "convertToLoadingState(startingWithLoading:)", "FAILING(1).convertToLoadingState().asObservable()", "[keyed(0), -8, completed]",
    read="{ switch x { case .loaded(let y): key(y); case .loading: -7; case .failed: -8; case .idle: -9 } }()")
row(
    ("convertToLoadingState(startingWithLoading:)", "LoadingState.map(_:)"),
    "SOURCE(1).convertToLoadingState().map { $0.map { key($0) }.value ?? -4 }.asObservable()", emits(0), read=NUMBER)
row(
    "convertToResult()", "FAILING(2).convertToResult().asObservable()", "[keyed(0), keyed(1), -8, completed]",
    read="{ switch x { case .success(let y): key(y); case .failure: -8 } }()")
row(
    "convertToResult(_:)", "FAILING(2).convertToResult { ($0 as? Fault) ?? .b(3) }.asObservable()", "[keyed(0), keyed(1), -8, completed]",
    read="{ switch x { case .success(let y): key(y); case .failure(let e): e == .a ? -8 : -9 } }()")
row("mapError(_:)", 'FAILING(2).mapError { _ in Fault.c("mapped") }', fails(0, 1))
row(
    "mapError(as:_:)", "FAILING(2).mapError(as: Fault.self) { _ in .b(4) }.catch(as: Fault.self) { e in e == .a ? .just(make(6)) : .empty() }",
    emits(0, 1, 6))
row("retry()", "Observable<Element>.deferred { tally.next() < 3 ? FAILING(1) : SOURCE(1, 1) }.retry()", emits(0, 0, 1), before=TALLY)
row("retry(_:)", "FAILING(1).retry(2)", fails(0, 0), cold=True)
row(
    "retry(_:scheduler:)",
    "Observable<Element>.deferred { tally.next() < 3 ? FAILING(1) : SOURCE(1, 1) }.retry(.delay(.seconds(1), maxAttempts: 5), scheduler: scheduler)",
    emits(0, 0, 1), before="let tally = Tally(); let scheduler = TestScheduler()", after="scheduler.advance(by: 9)")
row("retry(when:)", "FAILING(1).retry(when: { errors in errors.take(1) })", emits(0, 0), cold=True)
row(
    "retry(as:when:)",
    "Observable<Element>.deferred { tally.next() < 3 ? FAILING(1) : SOURCE(1, 1) }.retry(as: Fault.self, when: { errors in errors.map { _ in 1 } })",
    emits(0, 0, 1), before=TALLY)
