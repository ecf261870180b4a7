#if STREAMS_INSPECTOR
    import Foundation
    import Synchronization

    /// Where the inspector sees streams: the creation of each observable, each start of one, and the end of each lifetime.
    ///
    /// While nobody inspects, creating an observable costs one relaxed load, and everything else nothing.
    @usableFromInline
    enum Inspection {
        @usableFromInline typealias Start<Element: Sendable> = @Sendable (consuming AnyObserver<Element>, Lifetime) -> Void

        /// How many want to see that an observable is created; -1 until the environment has been read.
        @usableFromInline static let creationUsers = Atomic<Int>(-1)
        /// How many of them inspect what runs.
        @usableFromInline static let users = Atomic<Int>(0)
        private static let isWhole = Atomic<Bool>(false)
        private static let whole = InspectedStreams()
        /// The registry of the running test, which the streams of others do not disturb; like `Resources.counter`.
        @TaskLocal static var scoped: InspectedStreams?
        /// The chains that the running test starts, if it only wants to name those that it leaves.
        @TaskLocal static var chains: InspectedChains?

        /// The registry of observables that are created here; `nil` if nobody inspects them.
        static var current: InspectedStreams? {
            scoped ?? (isWhole.load(ordering: .acquiring) ? whole : nil)
        }

        /// Whether anything is inspected.
        @inlinable @inline(__always)
        static var isOn: Bool { users.load(ordering: .relaxed) > 0 }

        /// Whether anybody wants to see that an observable or object is created, or may: the environment has not been read.
        @inlinable @inline(__always)
        static var seesCreation: Bool { creationUsers.load(ordering: .relaxed) != 0 }

        /// The registry of an object that is being created; `nil` if nobody inspects it.
        static var ofNewObject: InspectedStreams? {
            guard seesCreation else { return nil }
            _ = readEnvironment
            return current
        }

        /// Returns what starts an observable that is being created: `start` if nobody inspects.
        @inlinable @inline(__always)
        static func instrumented<Element>(_ start: @escaping Start<Element>, isSynchronous: Bool = false) -> Start<Element> {
            seesCreation ? wrapped(start, isSynchronous) : start
        }

        @usableFromInline @inline(never)
        static func wrapped<Element>(_ start: @escaping Start<Element>, _ isSynchronous: Bool) -> Start<Element> {
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

        /// Returns an observer that counts the events of `node`. Whatever is started while one is delivered is started by its consumer.
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
        /// Records that the next upstream in `lifetime` replaces the running operator.
        static func noteLastStart(in lifetime: Lifetime) {
            InspectedThread.current.lastStart = ObjectIdentifier(lifetime)
        }

        /// Shows a queue in the running operator, while that runs. `count` reads how many wait, from any thread, and must not retain the queue.
        @usableFromInline
        static func watch(_ name: StaticString, bound: Int, _ count: @escaping @Sendable () -> Int) {
            InspectedThread.current.node?.change { $0.queues.append(InspectedQueue(name: name, bound: bound, count: count)) }
        }

        /// Shows a timer of the running operator; returns `nil` if that is not inspected.
        @usableFromInline
        static func watchTimer(on scheduler: any Scheduler) -> InspectedTimer? {
            guard isOn, let node = InspectedThread.current.node else { return nil }
            let timer = InspectedTimer(scheduler)
            node.change { $0.timers.append(timer) }
            return timer
        }

        /// Shows what the running operator asks for a permit. The closures must not retain it, nor the request.
        static func limit(
            by core: AnyObject, isWaiting: @escaping @Sendable () -> Bool = { false }, _ figures: @escaping @Sendable () -> String?
        ) {
            let id = UInt64(UInt(bitPattern: ObjectIdentifier(core)))
            let limiter = InspectedLimiter(id: id, kind: "\(type(of: core))", figures: figures, isWaiting: isWaiting)
            InspectedThread.current.node?.change { $0.limiter = limiter }
        }

        /// Shows what the running operator is about.
        static func describe(as summary: @autoclosure () -> String) {
            guard isOn, let node = InspectedThread.current.node else { return }
            let text = summary().excerpt(200)
            node.change { $0.summary = text }
        }

        /// Shows the queue of the task that reads a stream to its end in `lifetime`.
        @usableFromInline
        static func watchReader(of lifetime: Lifetime, bound: Int, _ count: @escaping @Sendable () -> Int) {
            InspectedStreams.noteRetainer(of: lifetime, .task)
            InspectedStreams.noteQueue(InspectedQueue(name: "elements", bound: bound, count: count), of: lifetime)
        }

        /// Shows that the running operator shares `core`, which knows whether there is a connection.
        @usableFromInline
        static func share(_ core: any AnyObject & Sendable, isConnected: @escaping @Sendable () -> Bool) {
            let sharing = InspectedSharing(of: core, isConnected: isConnected)
            InspectedThread.current.node?.change { $0.sharing = sharing }
        }

        /// Shows what is started in `lifetime`, which has no parent, upstream of the subscribers of `core`, or of the running operator.
        @usableFromInline
        static func connect(_ lifetime: Lifetime, to core: (any AnyObject & Sendable)? = nil) {
            InspectedStreams.noteConnection(lifetime, core.map { core in InspectedSharing(of: core) { true } })
        }

        /// Switches the process-wide registry on when the environment says so.
        private static let readEnvironment: Void = {
            creationUsers.store(0, ordering: .relaxed)
            guard ProcessInfo.processInfo.environment["STREAMS_INSPECT"] == "1" else { return }
            beginWhole()
            do { try InspectorServer.start(at: nil, whole) } catch {
                FileHandle.standardError.write(Data("Streams: the inspector cannot be started: \(error)\n".utf8))
            }
        }()

        /// Inspects the whole process from now on: observables that are created later. Returns its registry.
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
            users.add(amount, ordering: .relaxed)
            creationUsers.add(amount, ordering: .relaxed)
        }

        /// Ends what `startWhole()` began, and forgets all streams.
        static func stopWhole() {
            guard isWhole.exchange(false, ordering: .acquiringAndReleasing) else { return }
            addUser(-1)
            whole.removeAll()
        }

        /// Runs `body`, and inspects in `streams` the observables that it creates, also in tasks and scheduled actions of it.
        static func inspecting<Result>(
            in streams: InspectedStreams, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
        ) async rethrows -> Result {
            _ = readEnvironment
            addUser(1)
            defer { addUser(-1) }
            return try await $scoped.withValue(streams, operation: body)
        }

        /// As the asynchronous form.
        static func inspecting<Result>(in streams: InspectedStreams, _ body: () throws -> Result) rethrows -> Result {
            _ = readEnvironment
            addUser(1)
            defer { addUser(-1) }
            return try $scoped.withValue(streams, operation: body)
        }

        /// Runs `body`, and records in `chains` what it subscribes to: no event is counted, and no lifetime looked at.
        static func recording<Result>(
            in chains: InspectedChains, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
        ) async rethrows -> Result {
            _ = readEnvironment
            creationUsers.add(1, ordering: .relaxed)
            defer { creationUsers.subtract(1, ordering: .relaxed) }
            return try await $chains.withValue(chains, operation: body)
        }
    }

    /// Which observer it is: two are equal if their closures have the same code and the same context.
    struct ObserverIdentity: Equatable {
        private let words: (UInt, UInt)

        init<Element>(_ observer: AnyObserver<Element>) {
            // Not the closure itself: as a generic argument it would be wrapped in another one.
            words = unsafeBitCast(observer, to: (UInt, UInt).self)
        }

        static func == (a: ObserverIdentity, b: ObserverIdentity) -> Bool { a.words == b.words }
    }
#endif
