import Foundation
import Streams
import Synchronization

/// The points at which the inspector sees streams: the creation of each observable, each start of one, and the end of each lifetime.
///
/// While nobody inspects, creating an observable costs one relaxed load, and the other points cost nothing.
enum Inspection {
    private static let isWhole = Atomic<Bool>(false)
    private static let whole = InspectedStreams()
    /// The registry of the running test, which the streams of other tests do not disturb, as with `Resources.counter`.
    @TaskLocal static var scoped: InspectedStreams?
    /// The chains that the running test starts, if it only needs the names of those that it leaves running.
    @TaskLocal static var chains: InspectedChains?

    /// The registry of observables that are created here; `nil` if nobody inspects them.
    static var current: InspectedStreams? {
        scoped ?? (isWhole.load(ordering: .acquiring) ? whole : nil)
    }

    /// The registry of an object that is being created; `nil` if nobody inspects it.
    static var ofNewObject: InspectedStreams? {
        _ = readEnvironment
        return current
    }

    /// Returns a closure that registers each start of an observable that is being created, and counts its events.
    static func wrapped<Element>(_ start: @escaping Probe.Start<Element>, _ isSynchronous: Bool) -> Probe.Start<Element> {
        _ = readEnvironment
        guard let streams = current else { return chains.map { $0.recording(start) } ?? start }
        let stack = CallStack.capture()
        return { downstream, lifetime in
            let thread = InspectedThread.current
            let handler = ObserverIdentity(downstream)
            let isLast = thread.takeLastStart(in: lifetime)
            let opened = streams.open(
                stack, in: lifetime, from: thread.node, emittingTo: handler, isLast: isLast, isSynchronous: isSynchronous)
            guard let node = opened else { return start(downstream, lifetime) }
            let outer = thread.enter(node)
            start(node.isPassing ? downstream : counting(downstream, by: node), lifetime)
            thread.node = outer
            if isSynchronous { streams.close(node) }
        }
    }

    /// Returns an observer that counts the events of `node`. A stream that is started during a delivery is started by the consumer of
    /// `node`.
    private static func counting<Element>(_ downstream: AnyObserver<Element>, by node: InspectedNode) -> AnyObserver<Element> {
        let consumer = node.parent
        let observer = AnyObserver<Element>.receiving { event in
            let (thread, time) = (InspectedThread.current, MonotonicTime.now)
            let isLast = record(event, of: node, at: time, on: thread)
            let outer = thread.enter(consumer)
            let outerDelivery = node.counts.beginDelivery(at: time)
            downstream.forward(event)
            node.counts.endDelivery(since: time, inside: outerDelivery)
            thread.node = outer
            if isLast { node.streams.close(node) }
        }
        node.counts.handler = ObserverIdentity(observer)
        return observer
    }

    /// Counts an event; returns whether it is the terminal event.
    private static func record<Element>(
        _ event: borrowing EventReference<Element>, of node: InspectedNode, at time: UInt64, on thread: InspectedThread
    ) -> Bool {
        switch event {
        case .next(let element):
            if node.counts.countElement(at: time, on: thread) { node.parent?.countFirst(of: node) }
            if Inspector.showsElements { element.read { node.counts.keep(element: "\($0)") } }
            return false
        case .error(let error):
            node.counts.note(at: time, on: thread)
            node.parent?.countError(redactedDescription(of: error))
        case .completed: node.counts.note(at: time, on: thread)
        }
        node.isFinished = true
        return true
    }
}

extension Inspection {
    /// Whether the environment requires that the process is inspected from its first observable on.
    private static let isWanted = Atomic<Bool>(false)

    /// Installs the hooks. This runs before `main`: no thread is started, and no file opened, before something is created.
    static func install(isWanted: Bool) {
        Probe.install(InspectorHooks())
        guard isWanted else { return }
        guard Inspector.isAvailable else { return report("this build does not contain the inspector: it needs the trait Inspector") }
        self.isWanted.store(true, ordering: .relaxed)
        Probe.addUsers(creation: 1)
    }

    /// Begins what the environment requires, when something is first created or inspected.
    private static let readEnvironment: Void = {
        guard isWanted.load(ordering: .relaxed) else { return }
        beginWhole()
        Probe.addUsers(creation: -1)
        do { try InspectorServer.start(at: nil, whole) } catch {
            report("the inspector cannot be started: \(error)")
        }
    }()

    private static func report(_ problem: String) {
        FileHandle.standardError.write(Data("Streams: \(problem)\n".utf8))
    }

    /// Inspects the whole process from now on, that is, observables that are created later. Returns the registry of the process.
    static func startWhole() -> InspectedStreams {
        _ = readEnvironment
        beginWhole()
        return whole
    }

    private static func beginWhole() {
        guard !isWhole.exchange(true, ordering: .acquiringAndReleasing) else { return }
        addUser(1)
    }

    private static func addUser(_ amount: Int) {
        // The watcher is installed for the first user, and stays.
        BagProbe.watch { Probe.retained($0, by: nil) }
        Probe.addUsers(running: amount, creation: amount)
    }

    /// Ends what `startWhole()` began, and forgets all streams.
    static func stopWhole() {
        guard isWhole.exchange(false, ordering: .acquiringAndReleasing) else { return }
        addUser(-1)
        whole.removeAll()
    }

    /// Runs `body`, and inspects in `streams` the observables that it creates, including those in its tasks and scheduled actions.
    static func inspecting<Result>(
        in streams: InspectedStreams, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        _ = readEnvironment
        addUser(1)
        defer { addUser(-1) }
        return try await $scoped.withValue(streams, operation: body)
    }

    /// The synchronous form of the method above.
    static func inspecting<Result>(in streams: InspectedStreams, _ body: () throws -> Result) rethrows -> Result {
        _ = readEnvironment
        addUser(1)
        defer { addUser(-1) }
        return try $scoped.withValue(streams, operation: body)
    }

    /// Runs `body`, and records its subscriptions in `chains`. No event is counted, and no lifetime is inspected.
    static func recording<Result>(
        in chains: InspectedChains, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        _ = readEnvironment
        Probe.addUsers(creation: 1)
        defer { Probe.addUsers(creation: -1) }
        return try await $chains.withValue(chains, operation: body)
    }
}

/// The identity of an observer: two are equal if their closures have the same code and the same context.
struct ObserverIdentity: Equatable {
    private let words: (UInt, UInt)

    init<Element>(_ observer: AnyObserver<Element>) {
        // The closure itself is not used: as a generic argument it would be wrapped in another one.
        words = unsafeBitCast(observer, to: (UInt, UInt).self)
    }

    static func == (a: ObserverIdentity, b: ObserverIdentity) -> Bool { a.words == b.words }
}
