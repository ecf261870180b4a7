import Streams

/// Delivers values from any thread to the server's queue in order; synchronously when called there.
final class ServerDrainQueue<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var queued: [Value] = []
        var isDraining = false
    }

    private let queue: ServerQueue
    private let receive: @Sendable (Value) -> Void
    private let state = Lock(State())

    init(queue: ServerQueue, receive: @escaping @Sendable (Value) -> Void) {
        self.queue = queue
        self.receive = receive
    }

    func enqueue(_ value: Value) {
        let mustDrain = state.withLock { state in
            state.queued.append(value)
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
            state.isDraining = !state.queued.isEmpty
            guard state.isDraining else { return nil }
            defer { state.queued = [] }
            return state.queued
        }
    }
}
