import Foundation
import Streams

/// One subscription of a source that waits for the system, on a thread of its own.
///
/// Only that thread emits, so the events are serialized (law 2), and while the observer works or downstream is suspended nothing is read:
/// the system buffers, and makes a writer wait.
struct SourceThread<Element: Sendable>: Sendable {
    private let downstream: AnyObserver<Element>
    let lifetime: Lifetime
    /// Woken when the subscription is disposed or resumed.
    let waker: Waker

    fileprivate init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, _ waker: Waker) {
        (self.downstream, self.lifetime, self.waker) = (downstream, lifetime, waker)
    }

    var isDisposed: Bool { lifetime.isDisposed }

    /// Waits while downstream is suspended. Returns whether the next element may be taken; `false` if the subscription is disposed.
    func untilMayEmit() throws(SystemSourceError) -> Bool {
        while lifetime.isSuspended, !lifetime.isDisposed { try waitForResumption() }
        return !lifetime.isDisposed
    }

    private func waitForResumption() throws(SystemSourceError) {
        let isResumed = Lock(false)
        lifetime.whenResumed { [waker] in
            isResumed.withLock { $0 = true }
            waker.wake()
        }
        while !lifetime.isDisposed, !isResumed.withLock({ $0 }) { _ = try waker.wait(reading: []) }
    }

    /// Emits an element when downstream is not suspended any more, unless disposed.
    func emitWhenResumed(_ element: consuming Element) throws(SystemSourceError) {
        if try untilMayEmit() { emit(element) }
    }

    /// Emits an element unless disposed, also while downstream is suspended; returns whether another may be emitted.
    @discardableResult
    func emit(_ element: consuming Element) -> Bool {
        guard !lifetime.isDisposed else { return false }
        downstream.onNext(element)
        return !lifetime.isDisposed
    }

    /// Emits the terminal event unless disposed.
    func finish(_ error: (any Error)? = nil) {
        guard !lifetime.isDisposed else { return }
        guard let error else { return downstream.onCompleted() }
        downstream.onError(error)
    }
}

extension Observable {
    /// Returns a stream that `body` emits on a thread of its own for each subscription; it completes when `body` returns.
    ///
    /// `body` returns soon after the waker was woken by the disposal.
    static func onThread(_ body: @escaping @Sendable (SourceThread<Element>) throws -> Void) -> Observable {
        Observable { downstream, lifetime in
            do {
                let waker = try Waker()
                let thread = SourceThread(downstream, lifetime, waker)
                lifetime.add { waker.wake() }
                try Threads.start {
                    do {
                        try body(thread)
                        thread.finish()
                    } catch { thread.finish(error) }
                }
            } catch { downstream.onError(error) }
        }
    }
}

/// Starts threads of sources.
enum Threads {
    static func start(_ run: @escaping @Sendable () -> Void) throws(SystemSourceError) {
        let error = SystemThread.start(named: "streams.source", Resources.bindingCounter(run))
        guard error == 0 else { throw .outOfResources(operation: "pthread_create", code: error) }
    }
}
