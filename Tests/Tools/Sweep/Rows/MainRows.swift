import Streams

extension Row {
    /// Drivers and signals, on the main loop.
    @RowBuilder static var mainSequences: [Row] {
        use("InfallibleSequence.asDriver()", "InfallibleSequence.drive(onNext:onCompleted:onDisposed:)") {
            let relay = BehaviorRelay(value: 0)
            return { MainActor.assumeIsolated { relay.asInfallible().asDriver().drive(onNext: { _ in Receipt.note() }).dispose() } }
        }
        use("InfallibleSequence.drive(onNext:onCompleted:onDisposed:)", of: "an element") {
            let relay = BehaviorRelay(value: 0)
            let subscription = MainActor.assumeIsolated { relay.asDriver().drive(onNext: { _ in Receipt.note() }) }
            return {
                relay.accept(1)
                withExtendedLifetime(subscription) {}
            }
        }
        use("InfallibleSequence.drive(with:onNext:onCompleted:onDisposed:)") {
            let (relay, object) = (BehaviorRelay(value: 0), End())
            return { MainActor.assumeIsolated { relay.asDriver().drive(with: object, onNext: { object, _ in object.note() }).dispose() } }
        }
        use("InfallibleSequence.drive(_:)") {
            let (relay, other) = (BehaviorRelay(value: 0), BehaviorRelay(value: 1))
            return { MainActor.assumeIsolated { relay.asDriver().drive(other).dispose() } }
        }
        use("InfallibleSequence.asSignal()", "InfallibleSequence.emit(onNext:onCompleted:onDisposed:)") {
            let relay = PublishRelay<Int>()
            return { MainActor.assumeIsolated { relay.asInfallible().asSignal().emit(onNext: { _ in Receipt.note() }).dispose() } }
        }
        use("InfallibleSequence.emit(with:onNext:onCompleted:onDisposed:)") {
            let (relay, object) = (PublishRelay<Int>(), End())
            return { MainActor.assumeIsolated { relay.asSignal().emit(with: object, onNext: { object, _ in object.note() }).dispose() } }
        }
        use("InfallibleSequence.emit(to:)") {
            let (relay, other) = (PublishRelay<Int>(), PublishRelay<Int>())
            return { MainActor.assumeIsolated { relay.asSignal().emit(to: other).dispose() } }
        }
        use("InfallibleSequence.emit(to:_:)", of: "two") {
            let (relay, other, third) = (PublishRelay<Int>(), PublishRelay<Int>(), PublishRelay<Int>())
            return { MainActor.assumeIsolated { relay.asSignal().emit(to: other, third).dispose() } }
        }
        use("asDriver(onErrorJustReturn:)") {
            let source = PublishSubject<Int>()
            return { MainActor.assumeIsolated { source.asDriver(onErrorJustReturn: 1).drive(onNext: { _ in Receipt.note() }).dispose() } }
        }
        use("asDriver(onErrorDriveWith:)") {
            let source = PublishSubject<Int>()
            return {
                MainActor.assumeIsolated { source.asDriver(onErrorDriveWith: .just(1)).drive(onNext: { _ in Receipt.note() }).dispose() }
            }
        }
        use("asDriver(onErrorRecover:)") {
            let source = PublishSubject<Int>()
            return { MainActor.assumeIsolated { source.asDriver { _ in .just(1) }.drive(onNext: { _ in Receipt.note() }).dispose() } }
        }
        use("asSignal(onErrorJustReturn:)") {
            let source = PublishSubject<Int>()
            return { MainActor.assumeIsolated { source.asSignal(onErrorJustReturn: 1).emit(onNext: { _ in Receipt.note() }).dispose() } }
        }
        use("asSignal(onErrorSignalWith:)") {
            let source = PublishSubject<Int>()
            return {
                MainActor.assumeIsolated { source.asSignal(onErrorSignalWith: .just(1)).emit(onNext: { _ in Receipt.note() }).dispose() }
            }
        }
        use("asSignal(onErrorRecover:)") {
            let source = PublishSubject<Int>()
            return { MainActor.assumeIsolated { source.asSignal { _ in .just(1) }.emit(onNext: { _ in Receipt.note() }).dispose() } }
        }
        use("assign(to:)", "InfallibleSequence.assign(to:)", times: 1) {
            { MainActor.assumeIsolated { _ = Model() } }
        }
    }
}

/// A model whose property follows a stream.
@MainActor
private final class Model {
    @Streamed var value = 0

    init() {
        Infallible.just(opaque(1)).assign(to: &$value)
    }
}
