import Schedulers

/// A stream that never fails: `Driver`, `Signal` and `Infallible` are its three kinds.
///
/// The common part of its kinds. Its closures do not throw, so no error can be introduced. All operators of plain streams are available
/// through `asObservable()`, and an `as...(onError...)` converts back.
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public struct InfallibleSequence<Kind: InfallibleSequenceKind, Element: Sendable>: ObservableConvertibleType {
    private let source: Observable<Element>

    /// Creates one from a stream that cannot fail; `source` is shared as the kind defines.
    init(infallible source: Observable<Element>) {
        self.source = Kind.share(source)
    }

    /// Returns this as a plain stream, which is delivered as the kind defines: on the main loop for drivers and signals.
    public func asObservable() -> Observable<Element> {
        Kind.deliver(source)
    }
}

/// Defines how the streams of a kind are shared, and where they are delivered.
public protocol InfallibleSequenceKind: Sendable {
    /// Returns the part shared by all subscribers.
    static func share<Element>(_ source: Observable<Element>) -> Observable<Element>

    /// Returns the part specific to each subscriber.
    static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element>
}

/// A kind whose streams are delivered on the main loop.
public protocol MainLoopKind: InfallibleSequenceKind {}

extension MainLoopKind {
    public static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element> {
        shared.observe(on: MainLoopDelivery.scheduler)
    }
}
