import Schedulers
import Synchronization

/// What watches the streams of this process: `StreamsInspector`, if the program is linked with it, installs one (`Probe.install`).
///
/// Each function is called only while somebody inspects, on the thread of what it is about; the running operator is the one whose code
/// runs on this thread. The closures may be called on any thread and at any time, and retain nothing.
@usableFromInline
package protocol ProbeHooks: AnyObject, Sendable {
    /// Returns what starts an observable that is being created.
    func creating<Element: Sendable>(_ start: @escaping Probe.Start<Element>, isSynchronous: Bool) -> Probe.Start<Element>
    /// The next upstream in `lifetime` replaces the running operator.
    func startsLast(in lifetime: Lifetime)
    /// A lifetime was created: by the running operator in `parent`; without a parent for a connection of `core`, or for streams that the
    /// running operator emits.
    func created(_ lifetime: Lifetime, in parent: Lifetime?, sharing core: (any AnyObject & Sendable)?)
    /// A lifetime with `state` in its slot was disposed, or is being freed: possibly both, one after the other.
    func ended(_ state: AnyObject)
    /// `owner` retains a subscription; a bag does if it is `nil`.
    func retained(_ lifetime: Lifetime, by owner: Lifetime?)
    /// A gate was closed that was open.
    func closed(_ gate: Gate)
    /// The running operator, or the task that reads `lifetime` to its end, has a queue.
    func queued(_ name: StaticString, bound: Int, readBy lifetime: Lifetime?, _ count: @escaping @Sendable () -> Int)
    /// The running operator has a timer. Returns whether that is watched.
    func timed(_ timer: ProbedTimer.Due) -> Bool
    /// The running operator asks `core` for a permit.
    func limited(by core: AnyObject, isWaiting: @escaping @Sendable () -> Bool, _ figures: @escaping @Sendable () -> String?)
    /// The running operator shares `core`.
    func shared(_ core: any AnyObject & Sendable, isConnected: @escaping @Sendable () -> Bool)
    /// The running operator is about something, such as a request.
    func described(as summary: String)
    /// An object was created that is shown beside the streams. `facts` returns `nil` while it is not shown.
    func shown<Object: AnyObject & Sendable>(
        _ object: Object, as kind: StaticString, _ facts: @escaping @Sendable (Object) -> Probe.Facts?)
}

/// Where the library tells what watches it, in the manner of `LockProbe`: in a release build without the trait `Inspector` the conditions
/// are constants, and nothing of it is left where it is called.
///
/// Owners are passed with closures that capture nothing: a weak reference, which costs an object its side table, is made only if somebody
/// watches.
@usableFromInline
package enum Probe {
    /// What starts an observable.
    @usableFromInline package typealias Start<Element: Sendable> = @Sendable (consuming AnyObserver<Element>, Lifetime) -> Void

    /// What an object says of itself.
    @usableFromInline
    package struct Facts: Sendable {
        /// Its state, in a few words.
        package var summary: String
        /// The lifetimes and objects that it receives from.
        package var upstreams: [any AnyObject & Sendable]

        package init(_ summary: String, upstreams: [any AnyObject & Sendable] = []) {
            (self.summary, self.upstreams) = (summary.excerpt(200), upstreams)
        }
    }

    #if STREAMS_INSPECTOR
        private final class Installation: Sendable {
            let hooks: any ProbeHooks
            init(_ hooks: any ProbeHooks) { self.hooks = hooks }
        }

        private static let installation = AtomicLazyReference<Installation>()
        /// How many inspect what runs.
        @usableFromInline static let users = Atomic<Int>(0)
        /// How many want to see what is created: these, and those who only record chains or have not begun.
        @usableFromInline static let creationUsers = Atomic<Int>(0)

        /// Whether this build can be inspected.
        package static var isAvailable: Bool { true }
        /// Whether anything is inspected.
        @inlinable package static var isOn: Bool { users.load(ordering: .relaxed) > 0 }
        /// Whether anybody wants to see what is created.
        @inlinable package static var seesCreation: Bool { creationUsers.load(ordering: .relaxed) > 0 }
        private static var hooks: (any ProbeHooks)? { installation.load()?.hooks }

        /// Installs what watches; only the first does anything.
        package static func install(_ hooks: any ProbeHooks) { _ = installation.storeIfNil(Installation(hooks)) }

        /// More or fewer want to see what runs, and what is created.
        package static func addUsers(running: Int = 0, creation: Int) {
            users.add(running, ordering: .relaxed)
            creationUsers.add(creation, ordering: .relaxed)
        }
    #else
        package static var isAvailable: Bool { false }
        @inlinable package static var isOn: Bool { false }
        @inlinable package static var seesCreation: Bool { false }
        private static var hooks: (any ProbeHooks)? { nil }
        package static func install(_ hooks: any ProbeHooks) {}
        package static func addUsers(running: Int = 0, creation: Int) {}
    #endif
}

// The hooks of lifetimes and gates.
extension Probe {
    @inlinable @inline(__always)
    static func creating<Element>(_ start: @escaping Start<Element>, isSynchronous: Bool = false) -> Start<Element> {
        seesCreation ? watched(start, isSynchronous) : start
    }

    @usableFromInline @inline(never)
    static func watched<Element>(_ start: @escaping Start<Element>, _ isSynchronous: Bool) -> Start<Element> {
        hooks?.creating(start, isSynchronous: isSynchronous) ?? start
    }

    static func startsLast(in lifetime: Lifetime) {
        if isOn { hooks?.startsLast(in: lifetime) }
    }

    static func created(_ lifetime: Lifetime, in parent: borrowing Lifetime) {
        if isOn { hooks?.created(lifetime, in: copy parent, sharing: nil) }
    }

    /// `lifetime`, which has no parent, is that of a connection of `core`, or of streams that the running operator emits.
    @inlinable
    static func connected(_ lifetime: Lifetime, to core: (any AnyObject & Sendable)? = nil) {
        if isOn { watchConnection(lifetime, core) }
    }

    @usableFromInline @inline(never)
    static func watchConnection(_ lifetime: Lifetime, _ core: (any AnyObject & Sendable)?) {
        hooks?.created(lifetime, in: nil, sharing: core)
    }

    static func ended(_ slot: borrowing ProbeSlot) {
        if let state = slot.state { hooks?.ended(state) }
    }

    package static func retained(_ disposable: any Disposable, by owner: Lifetime?) {
        if isOn, let lifetime = disposable as? Lifetime { hooks?.retained(lifetime, by: owner) }
    }

    static func closed(_ gate: Gate) {
        if isOn { hooks?.closed(gate) }
    }
}

// The hooks of operators and objects.
extension Probe {
    /// `count` reads how many wait, from any thread.
    @inlinable
    static func queued<Owner: AnyObject & Sendable>(
        _ name: StaticString, of owner: Owner, bound: Int, readBy lifetime: Lifetime? = nil, _ count: @escaping @Sendable (Owner) -> Int
    ) {
        if isOn { watchQueue(name, owner, bound, lifetime, count) }
    }

    @usableFromInline @inline(never)
    static func watchQueue<Owner: AnyObject & Sendable>(
        _ name: StaticString, _ owner: Owner, _ bound: Int, _ lifetime: Lifetime?, _ count: @escaping @Sendable (Owner) -> Int
    ) {
        hooks?.queued(name, bound: bound, readBy: lifetime) { [weak owner] in owner.map(count) ?? 0 }
    }

    static func timed(_ timer: ProbedTimer.Due) -> Bool { hooks?.timed(timer) ?? false }

    /// `isWaiting` must not retain the request.
    static func limited<Owner: AnyObject & Sendable>(
        by owner: Owner, isWaiting: @escaping @Sendable () -> Bool = { false }, _ figures: @escaping @Sendable (Owner) -> String
    ) {
        if isOn { hooks?.limited(by: owner, isWaiting: isWaiting) { [weak owner] in owner.map(figures) } }
    }

    @inlinable
    package static func shared<Owner: AnyObject & Sendable>(_ owner: Owner, isConnected: @escaping @Sendable (Owner) -> Bool) {
        if isOn { watchSharing(owner, isConnected) }
    }

    @usableFromInline @inline(never)
    static func watchSharing<Owner: AnyObject & Sendable>(_ owner: Owner, _ isConnected: @escaping @Sendable (Owner) -> Bool) {
        hooks?.shared(owner) { [weak owner] in owner.map(isConnected) ?? false }
    }

    package static func described(as summary: @autoclosure () -> String) {
        if isOn { hooks?.described(as: summary()) }
    }

    /// Shows an object beside the streams for as long as it exists, as created by the line of the program that is running.
    package static func shown<Object: AnyObject & Sendable>(
        _ object: Object, as kind: StaticString, _ facts: @escaping @Sendable (Object) -> Facts?
    ) {
        if seesCreation { hooks?.shown(object, as: kind, facts) }
    }
}

/// What the watcher keeps in a lifetime: a word, and none in a build without it.
@usableFromInline
package struct ProbeSlot: ~Copyable, @unchecked Sendable {
    #if STREAMS_INSPECTOR
        // Law 9: written once, under the watcher's lock, and retained for as long as the slot exists.
        private let object = Atomic<Unmanaged<AnyObject>?>(nil)

        init() {}

        deinit { object.load(ordering: .acquiring)?.release() }

        /// Read without the watcher's lock when the lifetime ends.
        package var state: AnyObject? { object.load(ordering: .sequentiallyConsistent)?.takeUnretainedValue() }

        /// Sets what is empty. Who sets it and then finds the lifetime disposed has to end what it has recorded.
        package func setIfNil(_ state: AnyObject) {
            guard self.state == nil else { return }
            object.store(.passRetained(state), ordering: .sequentiallyConsistent)
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        }
    #else
        @inlinable init() {}
        package var state: AnyObject? { nil }
        package func setIfNil(_ state: AnyObject) {}
    #endif
}

/// A number that the watcher reads on another thread: none in a build without it.
@usableFromInline
package struct ProbedCount: ~Copyable, Sendable {
    #if STREAMS_INSPECTOR
        @usableFromInline let number = Atomic<Int>(0)

        @inlinable init() {}
        @inlinable package var value: Int { number.load(ordering: .relaxed) }
        @inlinable package func set(_ value: @autoclosure () -> Int) { number.store(value(), ordering: .relaxed) }
    #else
        @inlinable init() {}
        @inlinable package var value: Int { 0 }
        @inlinable package func set(_ value: @autoclosure () -> Int) {}
    #endif
}

/// A timer of the running operator: nothing in a build without a watcher, and a `nil` while nobody inspects.
@usableFromInline
package struct ProbedTimer: Sendable {
    /// When it is due, for any thread.
    @usableFromInline
    package final class Due: Sendable {
        package let scheduler: any Scheduler
        /// The time of the scheduler, in nanoseconds; `Int64.max` if it is not pending.
        package let time = Atomic<Int64>(.max)

        init(_ scheduler: any Scheduler) { self.scheduler = scheduler }
    }

    #if STREAMS_INSPECTOR
        private var due: Due?

        init(on scheduler: any Scheduler) {
            guard Probe.isOn else { return }
            let due = Due(scheduler)
            if Probe.timed(due) { self.due = due }
        }

        /// Notes when it is due; `nil` if it is not pending any more.
        @usableFromInline
        func start(at time: Duration?) {
            due?.time.store(time.map { Int64(min($0 / .nanoseconds(1), 9e18)) } ?? .max, ordering: .relaxed)
        }

        func start(after delay: Duration) {
            if let due { start(at: due.scheduler.now + delay) }
        }
    #else
        @inlinable init(on scheduler: any Scheduler) {}
        @inlinable func start(at time: Duration?) {}
        @inlinable func start(after delay: Duration) {}
    #endif
}
