import Streams

/// Carries values from any thread to the server's queue in their order; in place when it is called there.
final class Inbox<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var waiting: [Value] = []
        var isDraining = false
    }

    private let queue: ServerQueue
    private let receive: @Sendable (Value) -> Void
    private let state = Lock(State())

    init(queue: ServerQueue, receive: @escaping @Sendable (Value) -> Void) {
        self.queue = queue
        self.receive = receive
    }

    func accept(_ value: Value) {
        let mustDrain = state.withLock { state in
            state.waiting.append(value)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        guard mustDrain else { return }
        queue.run { self.drain() }
    }

    private func drain() {
        while let batch = takeAll() {
            for value in batch { receive(value) }
        }
    }

    private func takeAll() -> [Value]? {
        state.withLock { state in
            state.isDraining = !state.waiting.isEmpty
            guard state.isDraining else { return nil }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
