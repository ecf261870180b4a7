"""Traits."""

from row import *

row(
    "PrimitiveSequence.map(_:)", "Single<Element>.just(make(1)).map { ($0, 2) }.asObservable()", "[pair(keyed(1), 2), completed]",
    read=PAIR_WITH_NUMBER)
row("PrimitiveSequence.create(_:)", "Single<Element>.create { f in f(.success(make(2))); return Disposables.create() }.asObservable()", emits(2))
row("PrimitiveSequence.flatMap(_:)", "Single<Element>.just(make(1)).flatMap { x in Single.just((x, x)) }.asObservable()", emits((1, 1)), read=PAIR)
row("PrimitiveSequence.zip(_:)", "Single.zip(Single<Element>.just(make(1)), Single<Element>.just(make(2))).asObservable()", emits((1, 2)), read=PAIR)
row(
    "PrimitiveSequence.zip(_:resultSelector:)",
    "Single<Element>.zip(Single<Element>.just(make(1)), Single<Element>.just(make(2)), resultSelector: { $1 }).asObservable()", emits(2))
statements(
    ("asSingle()", "PrimitiveSequence.subscribe(onSuccess:onFailure:onDisposed:)"),
    "SOURCE(2).element(at: 1).asSingle().subscribe(onSuccess: { log.add(key($0)) }, onFailure: { _ in log.add(-4) }).dispose()", received(1))
statements(
    "PrimitiveSequence.subscribe(_:)",
    "Single<Element>.just(make(1)).subscribe { r in switch r { case .success(let x): log.add(key(x)); case .failure: log.add(-5) } }.dispose()",
    received(1))
row("PrimitiveSequence.catchAndReturn(_:)", "Single<Element>.error(Fault.a).catchAndReturn(make(3)).asObservable()", emits(3))
row("PrimitiveSequence.filter(_:)", "Single<Element>.just(make(3)).filter { key($0) != -12345 }.asObservable()", emits(3))
row(
    "PrimitiveSequence.do(onSuccess:afterSuccess:onError:afterError:onSubscribe:onSubscribed:onDispose:)",
    "Single<Element>.just(make(3)).do(onSuccess: { log.add(key($0)) }).asObservable()", emits(3, 3))
row(
    "PrimitiveSequence.retry(_:)", "Single<Element>.deferred { tally.next() < 3 ? .error(Fault.a) : .just(make(1)) }.retry(5).asObservable()",
    emits(1), before=TALLY)
row("PrimitiveSequence.just(_:)", "Maybe<Element>.just(make(3)).asObservable()", emits(3))
row("PrimitiveSequence.ifEmpty(default:)", "Maybe<Element>.empty().ifEmpty(default: make(2)).asObservable()", emits(2))
row(
    ("PrimitiveSequence.create(_:)", "PrimitiveSequence.compactMap(_:)"),
    "Maybe<Element>.create { f in f(.success(make(2))); return Disposables.create() }.compactMap { x in x }.asObservable()", emits(2),
    needs="not-optional")
statements(
    "PrimitiveSequence.subscribe(_:)",
    "Maybe<Element>.just(make(1)).subscribe { e in switch e { case .success(let x): log.add(key(x)); case .error: log.add(-5); "
    "case .completed: log.add(-6) } }.dispose()",
    received(1))
row("PrimitiveSequence.andThen(_:)", "Completable.empty().andThen(SOURCE(2))", emits(0, 1))
row(
    "PrimitiveSequence.andThen(_:)",
    "Completable.create { f in f(.completed); return Disposables.create() }.andThen(Single<Element>.just(make(1))).asObservable()", emits(1))
row(
    ("InfallibleSequence.of(_:)", "InfallibleSequence.map(_:)"), "Infallible<Element>.of(make(0), make(1)).map { ($0, 1) }.asObservable()",
    "[pair(keyed(0), 1), pair(keyed(1), 1), completed]", read=PAIR_WITH_NUMBER)
row(
    "InfallibleSequence.create(_:)",
    "Infallible<Element>.create { f in f(.next(make(0))); f(.next(make(1))); f(.completed); return Disposables.create() }.asObservable()",
    emits(0, 1))
statements(
    ("asInfallible(onErrorJustReturn:)", "InfallibleSequence.subscribe(onNext:onCompleted:onDisposed:)"),
    "SOURCE(2).asInfallible(onErrorJustReturn: make(9)).subscribe(onNext: { log.add(key($0)) }, onCompleted: { log.add(-5) }).dispose()",
    "[keyed(0), keyed(1), -5]")
row(
    "InfallibleSequence.zip(_:)", "Infallible.zip(Infallible<Element>.just(make(1)), Infallible<Element>.of(make(2))).asObservable()", emits((1, 2)),
    read=PAIR)
row(
    ("InfallibleSequence.from(_:)", "InfallibleSequence.scan(_:accumulator:)"),
    "Infallible<Element>.from(elements(3)).scan((0, make(5))) { a, x in (a.0 &+ 1, x) }.asObservable()",
    "[pair(1, keyed(0)), pair(2, keyed(1)), pair(3, keyed(2)), completed]", read=NUMBER_WITH_ELEMENT)
row(
    ("InfallibleSequence.pairwise()", "InfallibleSequence.flatMap(_:)", "InfallibleSequence.startWith(_:)"),
    "Infallible<Element>.from(elements(4)).skip(1).filter { key($0) != -12345 }.startWith(make(7)).pairwise().map { $0.1 }.flatMap { "
    ".of($0, make(8)) }.asObservable()",
    emits(1, 8, 2, 8, 3, 8))
row(
    "asDriver(onErrorJustReturn:)", "SOURCE(3).asDriver(onErrorJustReturn: make(9)).map { ($0, 1) }.asObservable()",
    "[pair(keyed(0), 1), pair(keyed(1), 1), pair(keyed(2), 1), completed]", read=PAIR_WITH_NUMBER, needs="main", cold=True)
statements(
    ("asDriver(onErrorJustReturn:)", "InfallibleSequence.drive(onNext:onCompleted:onDisposed:)"),
    "SOURCE(2).asDriver(onErrorJustReturn: make(9)).drive(onNext: { x in log.add(key(x)) }).dispose()", received(0, 1), needs="main")
statements(
    ("asDriver(onErrorJustReturn:)", "InfallibleSequence.drive(_:)"),
    "SOURCE(2).asDriver(onErrorJustReturn: make(9)).drive(Binder(log) { log, x in log.add(key(x)) }).dispose()", received(0, 1), needs="main")
statements(
    ("asSignal(onErrorJustReturn:)", "InfallibleSequence.emit(onNext:onCompleted:onDisposed:)"),
    "SOURCE(2).asSignal(onErrorJustReturn: make(9)).emit(onNext: { x in log.add(key(x)) }).dispose()", received(0, 1), needs="main")
row("BehaviorRelay.asDriver()", "BehaviorRelay<Element>(value: make(3)).asDriver().asObservable().take(1)", emits(3), needs="main")
row("asMaybe()", "SOURCE(3).take(1).asMaybe().asObservable()", emits(0))
row("asCompletable()", "SOURCE(3).asCompletable().andThen(SOURCE(1, 4))", emits(4), cold=True)
row("asInfallible(onErrorFallbackTo:)", "FAILING(1).asInfallible(onErrorFallbackTo: .of(make(7), make(8))).asObservable()", emits(0, 7, 8), cold=True)
row("asInfallible(onErrorRecover:)", "FAILING(1).asInfallible { _ in .just(make(7)) }.asObservable()", emits(0, 7), cold=True)
row("asDriver(onErrorDriveWith:)", "FAILING(1).asDriver(onErrorDriveWith: .just(make(7))).asObservable()", emits(0, 7), needs="main", cold=True)
row("asDriver(onErrorRecover:)", "FAILING(1).asDriver { _ in .just(make(7)) }.asObservable()", emits(0, 7), needs="main", cold=True)
row("asSignal(onErrorSignalWith:)", "FAILING(1).asSignal(onErrorSignalWith: .just(make(7))).asObservable()", emits(0, 7), needs="main", cold=True)
row("asSignal(onErrorRecover:)", "FAILING(1).asSignal { _ in .just(make(7)) }.asObservable()", emits(0, 7), needs="main", cold=True)
