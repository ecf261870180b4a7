import Foundation

/// A handle that aborts any number of operations from outside.
public final class Aborter: Sendable {
    private let isAborted = BehaviorRelay(value: false)

    /// Creates an aborter that has not aborted.
    public init() {}

    /// Fails every stream that is abortable by this with ``Aborter/OperationAborted``: those that are subscribed to now, and those that are
    /// subscribed to later. Idempotent; you can call it from any thread.
    public func abort() {
        isAborted.accept(true)
    }

    /// Emits one element when the aborter aborts, or immediately if it already has.
    @usableFromInline
    var aborted: Observable<Bool> { isAborted.filter { $0 } }
}

extension Aborter {
    /// The operation was cancelled by an ``Aborter``.
    public struct OperationAborted: Error, Equatable, Sendable, LocalizedError, CustomStringConvertible {
        /// Creates the error.
        public init() {}

        public var description: String { "The operation was aborted." }
        public var errorDescription: String? { description }

        /// Whether `error` is an `Aborter.OperationAborted`. The type is that of the parameter: a dynamic cast costs a sixth of an attempt of
        /// `retry`, and `type(of:)` a tenth.
        @inlinable @inline(__always)
        static func isError<Failure: Error>(_ error: Failure) -> Bool { Failure.self == OperationAborted.self }
    }
}

extension ObservableType {
    /// Fails with ``Aborter/OperationAborted`` and disposes its upstream as soon as `aborter` aborts; see
    /// ``abortable(by:)-(ObservableType)``.
    @inlinable
    public func abortable(by aborter: Aborter) -> Observable<Element> {
        abortable(by: aborter.aborted)
    }

    /// Fails with ``Aborter/OperationAborted`` and disposes its upstream at the first element of `signal`, or with the error of `signal`.
    ///
    /// ```swift
    /// numbers.abortable(by: others)
    /// // numbers --1--2--3|
    /// // others  ------x---
    /// //         --1--2#
    /// ```
    ///
    /// Source: [ReactiveX, TakeUntil](https://reactivex.io/documentation/operators/takeuntil.html), with an error instead of a completion.
    @inlinable
    public func abortable(by signal: some ObservableType) -> Observable<Element> {
        take(until: signal.asObservable().map { _ -> Never in throw Aborter.OperationAborted() })
    }
}
