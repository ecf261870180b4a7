import Schedulers
import Synchronization

/// The watcher of the streams of this process. `StreamsInspector` installs one (`Probe.install`), if the program is linked with it.
///
/// Each function is called only while somebody inspects, on the thread of the event that it reports. The running operator is the one whose
/// code runs on this thread. The closures may be called on any thread and at any time, and retain nothing.
@usableFromInline
package protocol ProbeHooks: AnyObject, Sendable {
    /// Returns the closure that starts an observable that is being created.
    func creating<Element: Sendable>(_ start: @escaping Probe.Start<Element>, isSynchronous: Bool) -> Probe.Start<Element>
    /// Reports that the next upstream in `lifetime` replaces the running operator.
    func startsLast(in lifetime: Lifetime)
    /// Reports that a lifetime was created: by the running operator in `parent`; without a parent, for a connection of `core`, or for
    /// streams that the running operator emits.
    func created(_ lifetime: Lifetime, in parent: Lifetime?, sharing core: (any AnyObject & Sendable)?)
    /// Reports that a lifetime with `state` in its slot was disposed, or is being freed; both may be reported, one after the other.
    func ended(_ state: AnyObject)
    /// Reports that `owner` retains a subscription; a bag retains it if `owner` is `nil`.
    func retained(_ lifetime: Lifetime, by owner: Lifetime?)
    /// Reports that an open gate was closed.
    func closed(_ gate: Gate)
    /// Reports a queue of the running operator, or of the task that reads `lifetime` to its end.
    func queued(_ name: StaticString, bound: Int, readBy lifetime: Lifetime?, _ count: @escaping @Sendable () -> Int)
    /// Reports a timer of the running operator. Returns whether the timer is watched.
    func timed(_ timer: ProbedTimer.Due) -> Bool
    /// Reports that the running operator asks `core` for a permit.
    func limited(by core: AnyObject, isWaiting: @escaping @Sendable () -> Bool, _ figures: @escaping @Sendable () -> String?)
    /// Reports that the running operator shares `core`.
    func shared(_ core: any AnyObject & Sendable, isConnected: @escaping @Sendable () -> Bool)
    /// Reports the subject of the running operator, such as a request.
    func described(as summary: String)
    /// Reports an object that was created and is shown beside the streams. `facts` returns `nil` while it is not shown.
    func shown<Object: AnyObject & Sendable>(
        _ object: Object, as kind: StaticString, _ facts: @escaping @Sendable (Object) -> Probe.Facts?)
}

/// The place where the library reports to its watcher, in the manner of `LockProbe`: in a release build without the trait `Inspector` the
/// conditions are constants, and nothing of it is left at the calls.
///
/// Owners are passed with closures that capture nothing: a weak reference, which costs an object its side table, is made only if somebody
/// watches.
@usableFromInline
package enum Probe {
    /// The closure that starts an observable.
    @usableFromInline package typealias Start<Element: Sendable> = @Sendable (consuming AnyObserver<Element>, Lifetime) -> Void

    /// The facts about an object.
    @usableFromInline
    package struct Facts: Sendable {
        /// Its state, in a few words.
        package var summary: String
        /// The lifetimes and objects from which it receives.
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
        /// The number of users that inspect running streams.
        @usableFromInline static let users = Atomic<Int>(0)
        /// The number of users that want to see creations: the users above, and those that only record chains or have not begun.
        @usableFromInline static let creationUsers = Atomic<Int>(0)

        /// Whether this build can be inspected.
        package static var isAvailable: Bool { true }
        /// Whether anything is inspected.
        @inlinable package static var isOn: Bool { users.load(ordering: .relaxed) > 0 }
        /// Whether anybody wants to see creations.
        @inlinable package static var seesCreation: Bool { creationUsers.load(ordering: .relaxed) > 0 }
        private static var hooks: (any ProbeHooks)? { installation.load()?.hooks }

        /// Installs the watcher; only the first call has an effect.
        package static func install(_ hooks: any ProbeHooks) { _ = installation.storeIfNil(Installation(hooks)) }

        /// Changes the numbers of users that want to see running streams and creations.
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

    /// Reports that `lifetime`, which has no parent, belongs to a connection of `core`, or to streams that the running operator emits.
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
    /// Reports a queue; `count` reads the number of waiting elements, from any thread.
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

    /// Reports a limiter; `isWaiting` must not retain the request.
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

/// The state that the watcher keeps in a lifetime: a word, and nothing in a build without a watcher.
@usableFromInline
@safe package struct ProbeSlot: ~Copyable, @unchecked Sendable {
    #if STREAMS_INSPECTOR
        // Law 9: written once, under the watcher's lock, and retained for as long as the slot exists.
        private let object = unsafe Atomic<Unmanaged<AnyObject>?>(nil)

        init() {}

        deinit { unsafe object.load(ordering: .acquiring)?.release() }

        /// Read without the watcher's lock when the lifetime ends.
        package var state: AnyObject? { unsafe object.load(ordering: .sequentiallyConsistent)?.takeUnretainedValue() }

        /// Sets an empty slot. If the caller then finds the lifetime disposed, it must end its record.
        package func setIfNil(_ state: AnyObject) {
            guard self.state == nil else { return }
            unsafe object.store(.passRetained(state), ordering: .sequentiallyConsistent)
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        }
    #else
        @inlinable init() {}
        package var state: AnyObject? { nil }
        package func setIfNil(_ state: AnyObject) {}
    #endif
}

/// A number that the watcher reads on another thread: nothing in a build without a watcher.
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
    /// The time at which a timer is due, for any thread.
    @usableFromInline
    package final class Due: Sendable {
        package let scheduler: any Scheduler
        /// The time of the scheduler, in nanoseconds; `Int64.max` if it is not pending.
        package let time = Atomic<Int64>(.max)

        init(_ scheduler: any Scheduler) { self.scheduler = scheduler }
    }

    #if STREAMS_INSPECTOR
        private var due: Due?

        @usableFromInline
        init(on scheduler: any Scheduler) {
            guard Probe.isOn else { return }
            let due = Due(scheduler)
            if Probe.timed(due) { self.due = due }
        }

        /// Notes the time at which the timer is due; `nil` if it is not pending any more.
        @usableFromInline
        func start(at time: Duration?) {
            due?.time.store(time.map { Int64(min($0 / .nanoseconds(1), 9e18)) } ?? .max, ordering: .relaxed)
        }

        @usableFromInline
        func start(after delay: Duration) {
            if let due { start(at: due.scheduler.now + delay) }
        }
    #else
        @inlinable init(on scheduler: any Scheduler) {}
        @inlinable func start(at time: Duration?) {}
        @inlinable func start(after delay: Duration) {}
    #endif
}
