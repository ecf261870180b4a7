import Streams
import Synchronization

/// A running operator.
///
/// The node retains neither its lifetime nor an observer, so a subscription that nobody references is freed as it would be without the
/// inspector.
final class InspectedNode: @unchecked Sendable {
    let id: UInt64
    let streams: InspectedStreams
    let stack: CallStack
    /// The operator downstream. It is constant until the deinitializer.
    private(set) var parent: InspectedNode?
    /// The connection that its subscription shares with others, if it is not a subscriber's own.
    let connection: InspectedSharing?
    private(set) weak var lifetime: Lifetime?
    /// The counts, shared with the parent if the parent passes its observer on, as `trace` does: no event is counted twice, and a stream
    /// that leads back to itself nests no observers (law 5).
    let counts: InspectedCounts
    /// Whether the node has the counts of its parent.
    let isPassing: Bool
    /// Whether the node was started as the last upstream of its parent, which it replaces.
    let isLast: Bool
    let startedAt = MonotonicTime.now
    /// The id of the outermost operator of its tree.
    private let root: UInt64
    private let starts = Atomic<Int>(0)
    private let errors = Atomic<Int>(0)
    /// The latest started upstream among those that have emitted, and the number of upstreams that emitted their first element after a
    /// later one.
    private let latestEmitter = Atomic<UInt64>(0)
    private let overtaken = Atomic<Int>(0)
    private let finished = Atomic<Bool>(false)
    private let details = Lock(Details())

    /// The properties that only few nodes have.
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
        // The nodes are released one after the other: none releases the next inside its own deinitializer, however deeply they are nested.
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

    /// Whether both nodes belong to one tree.
    func isRelated(to other: InspectedNode) -> Bool { root == other.root }

    /// Returns the first operator that was started as a last upstream, among this one and those downstream whose observer it passes on.
    var outermostLast: InspectedNode? {
        var (found, next): (InspectedNode?, InspectedNode?) = (nil, self)
        while let node = next, node.counts === counts {
            if node.isLast { found = node }
            next = node.parent
        }
        return found
    }

    /// The number of upstreams that the node has started, and the number of those that have failed.
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

/// The counts of the events that passed an observer. Counters are relaxed: each is right by itself.
final class InspectedCounts: @unchecked Sendable {
    private let elements = Atomic<UInt64>(0)
    private let lastTime = Atomic<UInt64>(0)
    private let lastThread = Atomic<Int>(0)
    /// The numbers of elements in one second and in the previous one.
    private let second = Atomic<UInt64>(0)
    private let inSecond = Atomic<Int>(0)
    private let before = Atomic<Int>(0)
    /// The time at which the running delivery began; 0 if there is none.
    private let delivery = Atomic<UInt64>(0)
    private let deliveryTime = Atomic<UInt64>(0)
    private let lastElement = Lock<String?>(nil)
    /// The observer that counts. It is written before anything else references the node, and read by threads that start upstreams of the
    /// node.
    var handler: ObserverIdentity?

    /// Counts an element; returns whether it is the first.
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

    /// Notes that a delivery begins; returns the beginning of the delivery in which it is nested.
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

    /// Writes the counts into `node`.
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
    /// Reads the number of elements, from any thread, and retains nothing.
    let count: @Sendable () -> Int

    /// Creates a queue; `Int.max` means no bound.
    init(name: StaticString, bound: Int, count: @escaping @Sendable () -> Int) {
        (self.name, self.count) = ("\(name)", count)
        self.bound = bound == .max ? nil : bound
    }
}

extension ProbedTimer.Due {
    /// The remaining seconds.
    var rest: Double? {
        let due = time.load(ordering: .relaxed)
        return due == .max ? nil : (.nanoseconds(due) - scheduler.now) / .seconds(1)
    }
}

/// The limiter that an operator asks before it subscribes. It is not retained.
struct InspectedLimiter: Sendable {
    let id: UInt64
    let kind: String
    /// Reads the metrics, from any thread.
    let figures: @Sendable () -> String?
    let isWaiting: @Sendable () -> Bool
}

/// The connection that operators share, and a way to find out whether it exists.
final class InspectedSharing: Sendable {
    let id: UInt64
    let isConnected: @Sendable () -> Bool

    init(of core: AnyObject, isConnected: @escaping @Sendable () -> Bool) {
        id = UInt64(UInt(bitPattern: ObjectIdentifier(core)))
        self.isConnected = isConnected
    }
}

extension MonotonicTime {
    static func seconds(from earlier: UInt64, to later: UInt64) -> Double {
        later > earlier ? Double(later - earlier) / 1e9 : 0
    }
}
