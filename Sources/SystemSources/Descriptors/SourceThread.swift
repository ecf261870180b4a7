import Foundation
import Streams

/// One subscription of a source that waits for the system, on a thread of its own.
///
/// Only that thread emits, so the events are serialized (law 2). While the observer works or downstream is suspended, the thread reads
/// nothing: the system buffers, and makes a writer wait.
struct SourceThread<Element: Sendable>: Sendable {
    private let outlet: Outlet<Element>
    /// Woken when the subscription is disposed or resumed.
    let waker: Waker

    fileprivate init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, _ waker: Waker) {
        (outlet, self.waker) = (Outlet(downstream, lifetime), waker)
    }

    var lifetime: Lifetime { outlet.lifetime }
    var isDisposed: Bool { outlet.isDisposed }

    /// Waits while downstream is suspended. Returns whether the next element may be taken: `false` if the subscription is disposed.
    func untilMayEmit() throws(SystemSourceError) -> Bool {
        while !lifetime.mayEmit, !isDisposed { try waitForResumption() }
        return !isDisposed
    }

    private func waitForResumption() throws(SystemSourceError) {
        outlet.park { [outlet, waker] in
            outlet.didResume()
            waker.wake()
        }
        while outlet.isParked, !isDisposed { try wait() }
    }

    /// Waits until one of `descriptors` is ready, the waker is woken, or `timeout` has passed; `nil` waits indefinitely.
    ///
    /// - Returns: the descriptors that are ready; errors and hang-ups make them ready too.
    @discardableResult
    func wait(
        reading descriptors: [Int32] = [], writing outlets: [Int32] = [], timeout: Duration? = nil
    ) throws(SystemSourceError) -> Set<Int32> {
        switch waker.wait(reading: descriptors, writing: outlets, timeout: timeout) {
        case .woken: return []
        case .ready(let ready): return ready
        case .failed(let code, let descriptor): throw SystemSourceError("poll", path: descriptor.map { "descriptor \($0)" }, code: code)
        }
    }

    /// Emits an element as soon as downstream is not suspended, unless the subscription is disposed.
    func emitWhenResumed(_ element: consuming Element) throws(SystemSourceError) {
        if try untilMayEmit() { emit(element) }
    }

    /// Emits an element unless the subscription is disposed, even while downstream is suspended. Returns whether another element may be
    /// emitted.
    @discardableResult
    func emit(_ element: consuming Element) -> Bool {
        outlet.emit(.next(element))
        return !isDisposed
    }

    /// Emits the terminal event unless the subscription is disposed.
    func finish(_ error: (any Error)? = nil) {
        outlet.emit(error.map { .error($0) } ?? .completed)
    }
}

extension Observable {
    /// Returns a stream whose elements `body` emits on a thread of its own for each subscription; it completes when `body` returns.
    ///
    /// `body` must return soon after the disposal has woken the waker.
    static func onThread(_ body: @escaping @Sendable (SourceThread<Element>) throws -> Void) -> Observable {
        Observable { downstream, lifetime in
            do {
                guard let waker = Waker() else { throw SystemSourceError(Waker.creation) }
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
