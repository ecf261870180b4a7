import Dispatch
import Foundation

extension ObservableConvertibleType {
    /// Returns a blocking view of this stream, for code that waits for it in real time on the calling thread, for at most `timeout`.
    ///
    /// ```swift
    /// let items = try service.items().toBlocking(timeout: .seconds(2)).toArray()
    /// ```
    ///
    /// On the main thread the main run loop runs meanwhile, so that streams which need it can emit.
    /// Source: [RxSwift, RxBlocking](https://github.com/ReactiveX/RxSwift/tree/main/RxBlocking).
    public func toBlocking(timeout: Duration = .seconds(10)) -> BlockingObservable<Element> {
        BlockingObservable(source: asObservable(), timeout: timeout)
    }
}

/// A stream for which you can wait. Every method subscribes anew, and throws `StreamError.timeout` when the timeout has passed.
public struct BlockingObservable<Element: Sendable>: Sendable {
    let source: Observable<Element>
    let timeout: Duration

    /// Waits for the terminal event and returns all elements; throws the stream's error.
    public func toArray() throws -> [Element] {
        try elements(of: source)
    }

    /// Waits for the first element and returns it, or `nil` for an empty stream; throws the stream's error.
    public func first() throws -> Element? {
        try elements(of: source.take(1)).first
    }

    /// Waits for the terminal event and returns the last element; throws the stream's error.
    public func last() throws -> Element? {
        try toArray().last
    }

    /// Waits for the terminal event and returns the only element; throws `StreamError.noElements` or `.moreThanOneElement` if there is not
    /// exactly one.
    public func single() throws -> Element {
        try single { _ in true }
    }

    /// Waits for the terminal event and returns the only element that satisfies `predicate`, like ``single()``; throws the error that the
    /// predicate throws.
    public func single(where predicate: @escaping @Sendable (Element) throws -> Bool) throws -> Element {
        let elements = try elements(of: source.filter(predicate).take(2))
        guard elements.count < 2 else { throw StreamError.moreThanOneElement }
        guard let element = elements.first else { throw StreamError.noElements }
        return element
    }

    /// Waits for the terminal event and returns the elements, and the error if the stream failed.
    public func materialize() -> (elements: [Element], error: (any Error)?) {
        collect(source)
    }

    private func elements(of source: Observable<Element>) throws -> [Element] {
        let (elements, error) = collect(source)
        if let error { throw error }
        return elements
    }

    private func collect(_ source: Observable<Element>) -> (elements: [Element], error: (any Error)?) {
        let result = Result()
        let subscription = source.subscribe { event in
            switch event {
            case .next(let element): result.add(element)
            case .error(let error): result.finish(error)
            case .completed: result.finish(nil)
            }
        }
        let isInTime = result.wait(for: timeout)
        subscription.dispose()
        let (elements, error) = result.outcome
        return (elements, error ?? (isInTime ? nil : StreamError.timeout(after: timeout)))
    }

    /// The events received so far, and whether the terminal event is among them.
    private final class Result: Sendable {
        private struct State {
            var elements: [Element] = []
            var error: (any Error)?
            var isFinished = false
        }

        private let state = Lock(State())
        private let semaphore = DispatchSemaphore(value: 0)

        var outcome: ([Element], (any Error)?) {
            state.withLock { ($0.elements, $0.error) }
        }

        func add(_ element: Element) {
            state.withLock { $0.elements.append(element) }
        }

        func finish(_ error: (any Error)?) {
            state.withLock { state in
                state.isFinished = true
                state.error = error
            }
            semaphore.signal()
            // This wakes the run loop, in case the caller waits in it.
            DispatchQueue.main.async {}
        }

        func wait(for timeout: Duration) -> Bool {
            guard Thread.isMainThread else {
                return semaphore.wait(timeout: .now() + .nanoseconds(Int(timeout.nanoseconds))) == .success
            }
            let end = Date(timeIntervalSinceNow: Double(timeout.nanoseconds) / 1e9)
            while !state.withLock({ $0.isFinished }), end.timeIntervalSinceNow > 0 {
                guard RunLoop.main.run(mode: .default, before: end) else { break }
            }
            return state.withLock { $0.isFinished }
        }
    }
}
