import Foundation
import Synchronization

/// Serializes inputs in the order of arrival, from any number of threads, without a lock (law 2).
///
/// ```text
/// guard serializer.tryEnter() || serializer.enterSoon() else { return serializer.enqueue { receive(input) } }
/// receive(input)
/// serializer.leave()
/// ```
///
/// One word holds the state: 0 is idle, 1 is busy, and any other value is the newest of the queued inputs. When the thread inside leaves,
/// it drains the queue, including re-entrant inputs. So an input neither nests nor blocks nor overtakes, and a synchronous source of any
/// length does not grow the stack (law 5). An input costs one compare-and-swap to enter and one to leave; only a queued input allocates.
///
/// Where threads meet often, queueing an input costs far more than handling it: the next input then waits briefly before it is queued
/// (`enterSoon()`). A thread never waits for itself: if it drains an input of its own, it records that (`Meetings`).
@usableFromInline
struct Serializer: ~Copyable, Sendable {
    @usableFromInline let word = Atomic<UInt>(0)
    let meetings = Meetings()

    /// Creates an idle serializer.
    @inlinable
    init() {}

    /// Whether the serializer is idle; if so, all effects of previous inputs are visible.
    @inlinable @inline(__always)
    var isIdle: Bool {
        word.load(ordering: .acquiring) == 0
    }

    /// Enters if the serializer is idle. If this returns `true`, `leave()` must be called.
    @inlinable @inline(__always)
    borrowing func tryEnter() -> Bool {
        word.compareExchange(expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed).exchanged
    }

    /// Enters if the serializer becomes idle within microseconds; waits only where inputs of other threads have met. If this returns
    /// `true`, `leave()` must be called. Do not call it while holding a lock.
    @usableFromInline @inline(never)
    borrowing func enterSoon() -> Bool {
        guard meetings.areBetweenThreads else { return false }
        let deadline = ContinuousClock.now + Meetings.longestWait
        repeat {
            // The thread inside may be waiting for this processor, and constant reads of the word would compete for its cache line.
            sched_yield()
            if isIdle, tryEnter() { return true }
        } while ContinuousClock.now < deadline
        meetings.noteWaitInVain()
        return false
    }

    /// Drains the queue and leaves.
    @inlinable @inline(__always)
    borrowing func leave() {
        if !tryLeave() { drain() }
    }

    /// Leaves if nothing is queued; otherwise `drain()` must be called, which leaves.
    @inlinable @inline(__always)
    borrowing func tryLeave() -> Bool {
        word.compareExchange(expected: 1, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed).exchanged
    }

    /// Runs `action` in serial order: now if the serializer is idle, or when the thread inside leaves. `mayWait` means that inputs of this
    /// kind call `enterSoon()` first, so the thread that queues them is recorded.
    @usableFromInline
    borrowing func enqueue(mayWait: Bool = false, _ action: @escaping @Sendable () -> Void) {
        guard enter(orEnqueue: action, mayWait: mayWait) else { return }
        action()
        leave()
    }

    /// Enters if the serializer is idle, and otherwise queues `action`. If this returns `true`, the caller must act itself and call
    /// `leave()`.
    @usableFromInline
    borrowing func enter(orEnqueue action: @escaping @Sendable () -> Void, mayWait: Bool = false) -> Bool {
        if tryEnter() { return true }
        let node = unsafe Unmanaged.passRetained(QueuedInput(action, on: mayWait ? pthread_self() : nil))
        let address = unsafe UInt(bitPattern: node.toOpaque())
        var current = word.load(ordering: .relaxed)
        while true {
            let isIdle = current == 0
            unsafe node._withUnsafeGuaranteedRef { $0.follow(isIdle ? 1 : current) }
            let outcome = word.weakCompareExchange(
                expected: current, desired: isIdle ? 1 : address, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            current = outcome.original
            guard outcome.exchanged else { continue }
            if isIdle { unsafe node.release() }
            return isIdle
        }
    }

    /// Drains the queue in the order of arrival, and leaves.
    @usableFromInline
    borrowing func drain() {
        repeat {
            var node = unsafe QueuedInput.reversed(from: word.exchange(1, ordering: .acquiringAndReleasing))
            while let current = unsafe node {
                let input = unsafe current.takeRetainedValue()
                unsafe node = unsafe input.older
                if let thread = input.thread { meetings.note(isReentrant: pthread_equal(thread, pthread_self()) != 0) }
                input.action()
            }
        } while !word.compareExchange(expected: 1, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed).exchanged
    }
}

/// A queued input, which references the one that arrived before it.
@safe private final class QueuedInput: @unchecked Sendable {
    // Law 2: written before the compare-and-swap publishes the node, and after that only by the thread that took the complete queue.
    let action: @Sendable () -> Void
    /// The thread that queued the input; `nil` if inputs of its kind never wait.
    let thread: pthread_t?
    var older: Unmanaged<QueuedInput>?

    init(_ action: @escaping @Sendable () -> Void, on thread: pthread_t?) {
        self.action = action
        self.thread = thread
    }

    func follow(_ word: UInt) {
        unsafe older = unsafe Self.node(word)
    }

    static func node(_ word: UInt) -> Unmanaged<QueuedInput>? {
        guard word > 1, let pointer = unsafe UnsafeRawPointer(bitPattern: word) else { return nil }
        return unsafe .fromOpaque(pointer)
    }

    /// Reverses the list from newest first to oldest first.
    static func reversed(from word: UInt) -> Unmanaged<QueuedInput>? {
        var rest = unsafe node(word)
        var result: Unmanaged<QueuedInput>?
        var depth = 0
        while let current = unsafe rest {
            depth += 1
            unsafe current._withUnsafeGuaranteedRef { input in
                unsafe rest = unsafe input.older
                unsafe input.older = unsafe result
            }
            unsafe result = unsafe current
        }
        #if DEBUG
            if depth > Hooks.serializerWarningDepth { Hooks.serializerBacklog(depth) }
        #endif
        return unsafe result
    }
}

/// Decides whether the next input that finds a serializer busy should wait briefly, by the inputs that found it busy before.
///
/// A serializer does not record which thread is inside, but the thread that drains it knows which thread queued an input: if it queued the
/// input itself, the input was re-entrant. After a re-entrant input no thread waits any more, since a thread inside would wait for itself.
/// Otherwise threads wait until one has waited in vain: the observer is slow then, and the next queued input shows whether it still is.
struct Meetings: ~Copyable, Sendable {
    private enum Kind {
        static let none: UInt8 = 0
        static let betweenThreads: UInt8 = 1
        static let reentrant: UInt8 = 2
    }

    /// The longest time that a thread waits, if the processor does not run other threads meanwhile.
    static let longestWait = Duration.microseconds(5)

    private let kind = Atomic<UInt8>(Kind.none)

    /// Whether all inputs that were noted since a thread last waited in vain came from other threads.
    var areBetweenThreads: Bool { kind.load(ordering: .relaxed) == Kind.betweenThreads }

    /// Notes an input that was queued. Called inside the serializer only.
    func note(isReentrant: Bool) {
        let known = kind.load(ordering: .relaxed)
        guard known != Kind.reentrant else { return }
        if isReentrant { return kind.store(Kind.reentrant, ordering: .relaxed) }
        if known == Kind.none { kind.store(Kind.betweenThreads, ordering: .relaxed) }
    }

    /// Notes that a thread waited and did not enter.
    func noteWaitInVain() {
        _ = kind.compareExchange(expected: Kind.betweenThreads, desired: Kind.none, ordering: .relaxed)
    }
}
