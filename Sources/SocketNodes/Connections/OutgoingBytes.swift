import Streams

/// The bytes that wait to be written, in one piece, so that many small elements become one write; and the actions between them.
struct OutgoingBytes {
    /// An action for the time when everything before it has been written.
    enum Action: Sendable {
        /// Reports that everything before it has been written.
        case flush(SocketCompletion)
        /// Begins TLS; later bytes are written after the handshake.
        case upgrade(TLSOptions, SocketCompletion)
        /// Ends the writing.
        case closeSending
        /// Ends the writing, and closes the connection when the peer has closed too.
        case close
    }

    /// The outcome for an element.
    enum Outcome: Equatable {
        /// The element will be written, and the engine must be told.
        case started
        /// The element will be written, or was dropped as the policy requires.
        case queued
        /// The connection must fail.
        case overflow(capacity: Int)
        /// Nothing can be written any more.
        case closed
    }

    private let policy: BufferingPolicy
    private let capacity: Int
    private var pending: [UInt8] = []
    /// The sizes of the elements in `pending`, if they can be dropped.
    private var sizes: [Int] = []
    /// The position after the last byte of `pending`, and the position after the last byte that the system accepted.
    private var end = 0
    private var written = 0
    private var actions: [(position: Int, action: Action)] = []
    /// Whether the engine is writing, or has been told to.
    private var isBusy = false
    private var isClosed = false

    init(_ policy: BufferingPolicy) {
        self.policy = policy
        capacity = policy.capacity
    }

    /// The number of bytes that the system has not accepted.
    var count: Int { end - written }

    /// Appends bytes like `append(_:)`, but takes the memory of `bytes` if it can, and leaves an empty array in its place.
    mutating func append(taking bytes: inout [UInt8]) -> Outcome {
        guard pending.isEmpty, case .unbounded = policy, !isClosed, !bytes.isEmpty else {
            defer { bytes.removeAll(keepingCapacity: true) }
            return bytes.withUnsafeBytes { append($0) }
        }
        end += bytes.count
        swap(&pending, &bytes)
        return begin() ? .started : .queued
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard !isClosed else { return .closed }
        guard !bytes.isEmpty else { return .queued }
        if count > 0, bytes.count > capacity - count {
            switch policy {
            case .unbounded, .suspend, .fail: return .overflow(capacity: capacity)
            case .dropNewest: return .queued
            case .dropOldest: makeRoom(for: bytes.count)
            }
        }
        pending.append(contentsOf: bytes)
        if case .dropOldest = policy { sizes.append(bytes.count) }
        end += bytes.count
        return begin() ? .started : .queued
    }

    /// Drops the oldest elements, unless a part of them is being written.
    private mutating func makeRoom(for size: Int) {
        var dropped = 0
        var elements = 0
        while elements < sizes.count, count - dropped > 0, size > capacity - (count - dropped) {
            dropped += sizes[elements]
            elements += 1
        }
        let start = end - pending.count
        for index in actions.indices where actions[index].position > start {
            actions[index].position -= min(dropped, actions[index].position - start)
        }
        pending.removeFirst(dropped)
        sizes.removeFirst(elements)
        end -= dropped
    }

    /// Adds an action, and returns whether the engine must be told; returns `nil` if nothing can be written any more.
    mutating func append(_ action: Action) -> Bool? {
        guard !isClosed else { return nil }
        switch action {
        case .closeSending, .close: isClosed = true
        case .flush, .upgrade: break
        }
        actions.append((end, action))
        return begin()
    }

    private mutating func begin() -> Bool {
        defer { isBusy = true }
        return !isBusy
    }

    /// Whether everything before the next action has been written.
    var hasDueAction: Bool { actions.first.map { $0.position <= written } ?? false }

    /// Removes and returns the next action whose turn has come.
    mutating func nextAction() -> Action? {
        hasDueAction ? actions.removeFirst().action : nil
    }

    /// Moves the bytes up to the next change of the writing into `batch`, which must be empty. If there is nothing to do, returns `false`,
    /// and is no longer busy.
    mutating func take(into batch: inout [UInt8]) -> Bool {
        guard !pending.isEmpty else {
            // An action may have been added after the engine checked, without a notification to the engine.
            isBusy = hasDueAction
            return false
        }
        let start = end - pending.count
        let limit = actions.first { if case .upgrade = $0.action { true } else { false } }?.position ?? end
        guard limit < end else {
            sizes.removeAll(keepingCapacity: true)
            swap(&batch, &pending)
            return true
        }
        var size = 0
        while size < limit - start, !sizes.isEmpty { size += sizes.removeFirst() }
        batch.append(contentsOf: pending[..<(limit - start)])
        pending.removeFirst(limit - start)
        return !batch.isEmpty
    }

    mutating func didWrite(_ count: Int) {
        written += count
    }

    /// Removes everything; nothing is accepted any more. The actions are returned, to be told outside a lock (law 3).
    mutating func removeAll() -> [Action] {
        (isClosed, isBusy) = (true, true)
        pending = []
        written = end
        defer { actions = [] }
        return actions.map(\.action)
    }
}

/// Receives the result of an operation: `nil` for success.
typealias SocketCompletion = @Sendable ((any Error)?) -> Void
