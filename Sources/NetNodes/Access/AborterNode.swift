import Foundation
public import Streams

/// A handle that ends requests from outside.
public final class Aborter: Sendable {
    private let subject = BehaviorRelay(value: false)

    public init() {}

    /// Ends every stream that is abortable by this, running or not yet subscribed. Idempotent, callable from any thread.
    public func abort() {
        subject.accept(true)
    }

    /// Sends once it is aborted.
    var aborted: Observable<Bool> { subject.filter { $0 } }
}

/// The request was ended by an ``Aborter``.
public struct RequestAborted: Error, Equatable, Sendable, LocalizedError, CustomStringConvertible {
    public init() {}

    public var description: String { "The request was aborted." }
    public var errorDescription: String? { description }
}

/// Lets a request be ended from outside, at every stage, also before it starts; it then fails with ``RequestAborted``.
///
/// Operator: ``Streams/ObservableType/abortable(by:)``.
public struct AborterNode<Input: Sendable, Output: Sendable>: Node {
    private let aborter: Aborter
    private let next: any Node<Input, Output>

    public init(aborter: Aborter, next: any Node<Input, Output>) {
        self.aborter = aborter
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).abortable(by: aborter)
    }
}

extension ObservableType {
    /// Fails with ``RequestAborted`` and lets go of its source as soon as the aborter is told to.
    public func abortable(by aborter: Aborter) -> Observable<Element> {
        abortable(by: aborter.aborted)
    }

    /// Fails with ``RequestAborted`` and lets go of its source at the first element of `signal`.
    public func abortable(by signal: some ObservableType) -> Observable<Element> {
        let source = asObservable()
        return .create { observer in
            let watch = SingleAssignmentDisposable()
            let isAborted = BooleanDisposable()
            watch.setDisposable(
                signal.asObservable().take(1).subscribe(
                    onNext: { _ in
                        isAborted.dispose()
                        observer.onError(RequestAborted())
                    }, onError: { observer.onError($0) }))
            guard !isAborted.isDisposed else { return watch }
            return Disposables.create(watch, source.subscribe(observer))
        }
    }
}
