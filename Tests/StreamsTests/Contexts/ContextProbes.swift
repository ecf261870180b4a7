import Dispatch
import Streams

/// The events of a test's listeners, in order: stands for the output of the listings' `print`.
final class Output: Sendable {
    private struct State {
        var lines: [String] = []
        var waiting: (count: Int, semaphore: DispatchSemaphore)?
    }

    private let state = Lock(State())

    var lines: [String] { state.withLock { $0.lines } }

    func print(_ line: String) {
        let reached = state.withLock { state -> DispatchSemaphore? in
            state.lines.append(line)
            guard let waiting = state.waiting, state.lines.count >= waiting.count else { return nil }
            state.waiting = nil
            return waiting.semaphore
        }
        reached?.signal()
    }

    /// Waits until there are `count` lines, and gives those that there are at the deadline otherwise.
    func lines(count: Int) -> [String] {
        let semaphore = DispatchSemaphore(value: 0)
        let isThere = state.withLock { state -> Bool in
            state.waiting = (count, semaphore)
            return state.lines.count >= count
        }
        if !isThere { _ = semaphore.wait(timeout: .now() + 300) }
        return lines
    }

    /// Has all four kinds of listeners of `context` print here.
    @discardableResult
    func listen<Model>(_ context: Observer<Model>, as name: String = "") -> Observer<Model> {
        context
            .onCompleted { self.print("\(name)data \($0)") }
            .onError { self.print("\(name)error \($0)") }
            .onCancelled { self.print("\(name)cancelled") }
            .defer { self.print("\(name)defer") }
    }
}

/// A running operation: a stream that is fed by hand, and counts how often it was started and disposed.
final class Operation<Element: Sendable>: Sendable {
    private struct State {
        var starts = 0
        var disposals = 0
        var observer: AnyObserver<Element>?
    }

    private let state = Lock(State())

    var starts: Int { state.withLock { $0.starts } }
    var disposals: Int { state.withLock { $0.disposals } }

    /// Starts the operation.
    func start() -> Observer<Element> {
        stream.asContext()
    }

    var stream: Observable<Element> {
        Observable.create { [self] observer in
            state.withLock { state in
                state.starts += 1
                state.observer = observer
            }
            return Disposables.create { [self] in state.withLock { $0.disposals += 1 } }
        }
    }

    func send(_ event: Event<Element>) {
        let observer = state.withLock { event.isStopEvent ? $0.observer.take() : $0.observer }
        observer?.on(event)
    }

    /// Sends the one result of a request, and its end.
    func succeed(_ element: Element) {
        send(.next(element))
        send(.completed)
    }

    /// Forgets the observer: nobody can send any more.
    func releaseUpstream() {
        let observer = state.withLock { $0.observer.take() }
        withExtendedLifetime(observer) {}
    }
}

enum Failure: Error, Equatable {
    case some, other, third
}

/// A variable that closures share.
final class SharedCell<Value: Sendable>: Sendable {
    private let held = Lock<Value?>(nil)

    var value: Value? {
        get { held.withLock { $0 } }
        set {
            let before = held.withLock { held in
                let before = held
                held = newValue
                return before
            }
            withExtendedLifetime(before) {}
        }
    }
}

extension Observer {
    /// The data that it holds now.
    var current: Model? {
        let cell = SharedCell<Model>()
        outcomes.subscribe { event in cell.value = event.element?.data }.dispose()
        return cell.value
    }
}
