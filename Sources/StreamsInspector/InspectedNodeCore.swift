import Dispatch
import Streams
import Synchronization

/// A running operator.
///
/// It retains neither its lifetime nor an observer, so that a subscription that nobody references is freed as without the inspector.
final class InspectedNode: @unchecked Sendable {
    let id: UInt64
    let streams: InspectedStreams
    let stack: CallStack
    /// The operator downstream. Constant until the deinitializer.
    private(set) var parent: InspectedNode?
    /// What its subscription shares with others, if that is a connection rather than a subscriber.
    let connection: InspectedSharing?
    private(set) weak var lifetime: Lifetime?
    /// Shared with the parent if that passes its observer on, as `trace` does: no event is counted twice, and a stream that leads back to
    /// itself nests no observers (law 5).
    let counts: InspectedCounts
    /// Whether it has its parent's counts.
    let isPassing: Bool
    /// Whether it was started as the last upstream of its parent, which it replaces.
    let isLast: Bool
    let startedAt = MonotonicTime.now
    /// The id of the outermost operator of its tree.
    private let root: UInt64
    private let starts = Atomic<Int>(0)
    private let errors = Atomic<Int>(0)
    /// The upstream that was started last of those that have emitted, and how many have emitted their first element after a later one.
    private let latestEmitter = Atomic<UInt64>(0)
    private let overtaken = Atomic<Int>(0)
    private let finished = Atomic<Bool>(false)
    private let details = Lock(Details())

    /// What few nodes have.
    struct Details {
        var summary: String?
        var lastError: String?
        var queues: [InspectedQueue] = []
        var timers: [ProbedTimer.Due] = []
        var limiter: InspectedLimiter?
        var sharing: InspectedSharing?
    }

    init(_ id: UInt64, in streams: InspectedStreams, _ stack: CallStack, _ lifetime: Lifetime, under position: InspectedPosition) {
        (self.id, self.streams, self.stack, self.lifetime) = (id, streams, stack, lifetime)
        (parent, connection, isLast) = (position.parent, position.connection, position.isLast)
        isPassing = position.isPassing
        root = position.parent?.root ?? id
        counts = position.isPassing ? position.parent.unsafelyUnwrapped.counts : InspectedCounts()
    }

    deinit {
        // One after the other: none releases the next inside its own deinitializer, however deeply they are nested.
        var last = parent.take()
        while isKnownUniquelyReferenced(&last) {
            let above = last?.parent.take()
            last = above
        }
    }

    var isFinished: Bool {
        get { finished.load(ordering: .relaxed) }
        set { finished.store(newValue, ordering: .relaxed) }
    }

    /// Whether both are of one tree.
    func isRelated(to other: InspectedNode) -> Bool { root == other.root }

    /// The first operator that was started as a last upstream, of this and those downstream whose observer it passes on.
    var outermostLast: InspectedNode? {
        var (found, next): (InspectedNode?, InspectedNode?) = (nil, self)
        while let node = next, node.counts === counts {
            if node.isLast { found = node }
            next = node.parent
        }
        return found
    }

    /// The number of upstreams that it has started, and of those that have failed.
    var figures: (starts: Int, errors: Int) { (starts.load(ordering: .relaxed), errors.load(ordering: .relaxed)) }

    func countStart() {
        starts.add(1, ordering: .relaxed)
    }

    func countError(_ description: @autoclosure () -> String) {
        errors.add(1, ordering: .relaxed)
        let text = description().excerpt(200)
        details.withLock { $0.lastError = text }
    }

    /// Notes that an upstream has emitted its first element.
    func countFirst(of upstream: InspectedNode) {
        if latestEmitter.max(upstream.id, ordering: .relaxed).oldValue > upstream.id { overtaken.add(1, ordering: .relaxed) }
    }

    /// The number of upstreams that have been overtaken, and the last one that can have overtaken another.
    var order: (overtaken: Int, latest: UInt64) { (overtaken.load(ordering: .relaxed), latestEmitter.load(ordering: .relaxed)) }

    func change(_ change: (inout Details) -> Void) {
        details.withLock { change(&$0) }
    }

    var currentDetails: Details { details.withLock { $0 } }
}

/// What has passed an observer. Counters are relaxed: each is right by itself.
final class InspectedCounts: @unchecked Sendable {
    private let elements = Atomic<UInt64>(0)
    private let lastTime = Atomic<UInt64>(0)
    private let lastThread = Atomic<Int>(0)
    /// The elements of one second and of the one before it.
    private let second = Atomic<UInt64>(0)
    private let inSecond = Atomic<Int>(0)
    private let before = Atomic<Int>(0)
    /// When the delivery that is in progress began; 0 if there is none.
    private let delivery = Atomic<UInt64>(0)
    private let deliveryTime = Atomic<UInt64>(0)
    private let lastElement = Lock<String?>(nil)
    /// The observer that counts. Written before anything else references the node, and read by the threads that start upstreams of it.
    var handler: ObserverIdentity?

    /// Returns whether it is the first.
    func countElement(at time: UInt64, on thread: InspectedThread) -> Bool {
        let isFirst = elements.add(1, ordering: .relaxed).oldValue == 0
        note(at: time, on: thread)
        let now = time / 1_000_000_000
        let last = second.load(ordering: .relaxed)
        if now != last {
            second.store(now, ordering: .relaxed)
            before.store(now == last + 1 ? inSecond.load(ordering: .relaxed) : 0, ordering: .relaxed)
            inSecond.store(0, ordering: .relaxed)
        }
        inSecond.add(1, ordering: .relaxed)
        return isFirst
    }

    /// Notes that a delivery begins; returns when the one began that it is nested in.
    func beginDelivery(at time: UInt64) -> UInt64 {
        delivery.exchange(time, ordering: .relaxed)
    }

    /// Notes that a delivery that began at `time` has ended.
    func endDelivery(since time: UInt64, inside outer: UInt64) {
        delivery.store(outer, ordering: .relaxed)
        deliveryTime.add(MonotonicTime.now - time, ordering: .relaxed)
    }

    var elementCount: UInt64 { elements.load(ordering: .relaxed) }

    func note(at time: UInt64, on thread: InspectedThread) {
        lastTime.store(time, ordering: .relaxed)
        lastThread.store(thread.name, ordering: .relaxed)
    }

    func keep(element: String) {
        let text = element.excerpt(100)
        lastElement.withLock { $0 = text }
    }

    /// Writes what has been counted into `node`.
    func write(to node: inout InspectorSnapshot.Node, at time: UInt64) {
        node.elements = elements.load(ordering: .relaxed)
        node.lastElement = lastElement.withLock { $0 }
        node.rate = rate(at: time)
        let begun = delivery.load(ordering: .relaxed)
        node.busy = begun > 0 ? MonotonicTime.seconds(from: begun, to: time) : nil
        node.handlingTime = Double(deliveryTime.load(ordering: .relaxed)) / 1e9 + (node.busy ?? 0)
        let last = lastTime.load(ordering: .relaxed)
        guard last > 0 else { return }
        node.lastEvent = .init(
            age: MonotonicTime.seconds(from: last, to: time), thread: InspectedThread.name(lastThread.load(ordering: .relaxed)))
    }

    private func rate(at time: UInt64) -> Double {
        let begun = Double(time % 1_000_000_000) / 1e9
        let (now, last) = (time / 1_000_000_000, second.load(ordering: .relaxed))
        let (inSecond, before) = (inSecond.load(ordering: .relaxed), before.load(ordering: .relaxed))
        let elements = now == last ? inSecond + before : now == last + 1 ? inSecond : 0
        return Double(elements) / (1 + begun)
    }
}

/// Elements or requests that wait in an operator.
struct InspectedQueue: Sendable {
    let name: String
    let bound: Int?
    /// Reads how many there are, from any thread, and retains nothing.
    let count: @Sendable () -> Int

    /// A bound of `Int.max` is none.
    init(name: StaticString, bound: Int, count: @escaping @Sendable () -> Int) {
        (self.name, self.count) = ("\(name)", count)
        self.bound = bound == .max ? nil : bound
    }
}

extension ProbedTimer.Due {
    /// The seconds that are left.
    var rest: Double? {
        let due = time.load(ordering: .relaxed)
        return due == .max ? nil : (.nanoseconds(due) - scheduler.now) / .seconds(1)
    }
}

/// What an operator asks before it subscribes. It retains none of it.
struct InspectedLimiter: Sendable {
    let id: UInt64
    let kind: String
    /// Reads the metrics, from any thread.
    let figures: @Sendable () -> String?
    let isWaiting: @Sendable () -> Bool
}

/// The connection that operators share, and how to find out whether there is one.
final class InspectedSharing: Sendable {
    let id: UInt64
    let isConnected: @Sendable () -> Bool

    init(of core: AnyObject, isConnected: @escaping @Sendable () -> Bool) {
        id = UInt64(UInt(bitPattern: ObjectIdentifier(core)))
        self.isConnected = isConnected
    }
}

/// The time of what is recorded, in nanoseconds.
enum MonotonicTime {
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    static func seconds(from earlier: UInt64, to later: UInt64) -> Double {
        later > earlier ? Double(later - earlier) / 1e9 : 0
    }
}
