public import LoopbackServer
public import Streams

extension Simulation {
    /// The world of one run of a simulation: its processes and servers, their events, and its expectations.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation; the first call from another one fails the run.
    public final class World: @unchecked Sendable {
        let loop: EventLoop
        let trace: Trace
        let network: SimulatedNetwork
        private(set) var servers: [Server] = []
        private(set) var processes: [Process] = []
        private(set) var buses: [Bus] = []
        let expectations: Expectations
        private var injector: FaultInjector?
        private let seed: UInt64
        private let includedFaults: Set<Int>?

        /// The time until which `run(for:)` lets time pass.
        private(set) var runsUntil = Duration.zero

        /// The faults that occur by themselves. Set it before ``run(for:)``; by default none do.
        public var faults = FaultPlan.none

        init(seed: UInt64, includedFaults: Set<Int>?, trace: Trace, progress: SimulationProgress) {
            (self.seed, self.includedFaults, self.trace) = (seed, includedFaults, trace)
            loop = EventLoop(seed: seed, progress)
            network = SimulatedNetwork(loop, trace)
            expectations = Expectations(loop, trace)
        }

        /// The time since the beginning.
        public var now: Duration { loop.time.now }

        /// Runs actions in the time of the world, as code of no process.
        public var scheduler: any Scheduler { LoopScheduler(loop: loop, owner: .world) }

        /// The randomness of the world.
        public var random: Random { Random(loop: loop) }

        /// Adds a server, which the processes reach as `http://name`. No fault ends it; its routes keep their state.
        public func server(_ name: String, routes: [LoopbackServer.Route]) -> Server {
            let server = Server(name, routes, loop, trace)
            servers.append(server)
            network.add(server)
            return server
        }

        /// The hosts to which processes connect.
        var hosts: [any SimulatedHost] { (servers as [any SimulatedHost]) + buses }

        /// The processes and servers that a fault can kill.
        var killable: [any Killable] { (processes as [any Killable]) + buses }

        func add(_ bus: Bus) {
            buses.append(bus)
            network.add(bus)
        }

        /// Adds a process, which starts at once. It ends when `body` returns or throws.
        ///
        /// - Parameters:
        ///   - name: the name of the process and of its host.
        ///   - restartDelay: the time after which it is started again when it has failed; `nil` means never.
        ///   - fileID: the file of the call, which a failure names.
        ///   - line: the line of the call.
        ///   - body: the work of the process. When it is killed, its task is cancelled, and whatever the task does then has no effect.
        @discardableResult
        public func process(
            _ name: String, restartDelay: Duration? = .seconds(1), fileID: String = #fileID, line: Int = #line,
            _ body: @escaping @Sendable (Environment) async throws -> Void
        ) -> Process {
            let work: @Sendable (Environment) -> Observable<Void> = { environment in
                .fromAsync { try await body(environment) }
            }
            return process(name, restartDelay: restartDelay, fileID: fileID, line: line, running: work)
        }

        /// Adds a process like ``process(_:restartDelay:fileID:line:_:)``, whose work is a stream: it is disposed when the process is
        /// killed.
        @discardableResult
        public func process<Work: ObservableConvertibleType>(
            _ name: String, restartDelay: Duration? = .seconds(1), fileID: String = #fileID, line: Int = #line,
            running work: @escaping @Sendable (Environment) throws -> Work
        ) -> Process {
            let process = Process(name, at: "\(fileID):\(line)", self, restartDelay: restartDelay) {
                try work($0).asObservable().map { _ in }
            }
            processes.append(process)
            network.schedule(after: .zero) { process.start() }
            return process
        }

        /// Creates a stream of this world: processes emit elements in it, expectations and the timeline see them. Elements that a process
        /// emits after it was killed are dropped.
        public func stream<Element: Sendable>(_ name: String, of type: Element.Type = Element.self) -> Stream<Element> {
            Stream(name, loop, trace)
        }

        /// Cuts two hosts off from each other for a while, in both directions.
        public func partition(_ first: String, _ second: String, for duration: Duration) {
            partition(from: first, to: second, for: duration)
            partition(from: second, to: first, for: duration)
        }

        /// Cuts one host off from the messages of another for a while.
        public func partition(from source: String, to target: String, for duration: Duration) {
            network.cut(NetworkPath(from: source, to: target), for: duration, by: nil)
        }

        /// Lets time pass until `duration` is over or an expectation is violated.
        ///
        /// Throws if an expectation is violated, to end the body of the simulation.
        public func run(for duration: Duration) async throws {
            if loop.escape(to: "run(for:)") || loop.isEnding { throw SimulationEnded() }
            runsUntil = now + duration
            let injector = injector ?? FaultInjector(self, seed: seed, included: includedFaults)
            self.injector = injector
            injector.resume(faults)
            let passed = Observable<Int>.timer(duration, scheduler: scheduler).map { _ in true }
            for try await isOver in Observable.merge(passed, expectations.violations.map { false }).values {
                guard isOver else { throw SimulationEnded() }
                return
            }
            throw SimulationEnded()
        }

        /// The faults that have occurred.
        var injectedFaults: [FaultOccurrence] { injector?.injected ?? [] }

        /// Ends every process and every connection.
        func end() {
            loop.isEnding = true
            for process in processes { process.end() }
            for server in servers { server.stop() }
            for bus in buses { bus.stop() }
            expectations.end()
        }

        /// Releases objects that refer to one another.
        func release() {
            for bus in buses { bus.release() }
            (processes, servers, buses) = ([], [], [])
            network.release()
        }
    }
}

/// The error that ends the body of a simulation after a failure.
struct SimulationEnded: Error {}

extension Simulation {
    /// A named stream of a simulation, in which its processes emit.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation.
    public final class Stream<Element: Sendable>: ObservableConvertibleType, @unchecked Sendable {
        private let name: String
        private let loop: EventLoop
        private let trace: Trace
        private let subject = PublishSubject<Element>()

        init(_ name: String, _ loop: EventLoop, _ trace: Trace) {
            (self.name, self.loop, self.trace) = (name, loop, trace)
        }

        /// Emits an element, unless the process that calls has been killed.
        public func emit(_ element: Element) {
            if loop.escape(to: "emit(_:) of the stream \(name)") { return }
            guard loop.current?.isAlive ?? true else { return }
            trace.note(loop.time.now, emitted: element, in: name)
            loop.run(as: nil) { subject.onNext(element) }
        }

        public func asObservable() -> Observable<Element> {
            Observable { [self] downstream, lifetime in
                if let wakeup = loop.current?.expectWakeup() { lifetime.add { wakeup.end() } }
                subject.asObservable().subscribe(in: lifetime) { downstream.on($0) }
            }
        }

        /// An observer that emits in this stream; terminal events are ignored.
        public func asObserver() -> AnyObserver<Element> {
            AnyObserver { [self] event in
                if case .next(let element) = event { emit(element) }
            }
        }
    }
}
