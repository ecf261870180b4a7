import Foundation
import Streams
import Synchronization

/// Shows every running stream of this process.
///
/// ```swift
/// try Inspector.start()                  // or STREAMS_INSPECT=1 in the environment of a debug build
/// print(Inspector.leaks())
/// ```
///
/// Each subscription is a tree of operators, with the line that built it, the events that have passed through it, and the reason why it
/// waits. The inspector shows observables that are created while it is on, and none from before. A debug build contains the inspector; a
/// release build does if you compile it with the package's trait `Inspector`. Without it, this API does nothing and shows nothing.
///
/// Source: [RxFiddle](https://rxfiddle.net), [Reactor, debugging](https://projectreactor.io/docs/core/release/reference/debugging.html).
public enum Inspector {
    private static let elementsAreShown = Atomic<Bool>(false)

    /// Whether this build contains the inspector.
    public static var isAvailable: Bool {
        Probe.isAvailable
    }

    /// Whether snapshots contain the last element of each operator, as text of at most 100 characters. It is `false` by default, because
    /// elements are data of the program's users.
    public static var showsElements: Bool {
        get { elementsAreShown.load(ordering: .relaxed) }
        set { elementsAreShown.store(newValue, ordering: .relaxed) }
    }

    /// Begins to inspect, and serves snapshots on a Unix socket. If it has been started already, it does nothing.
    ///
    /// - Parameter path: the path of the socket. By default it is in a directory that only this user can read,
    ///   `streams` in `$XDG_RUNTIME_DIR` or `/tmp/streams-UID`, and named after the number of the process and a random token.
    /// - Throws: ``Failure`` if the directory is not safe or the socket cannot be created; then nothing is inspected.
    public static func start(at path: String? = nil) throws {
        guard isAvailable else { return }
        let streams = Inspection.startWhole()
        do { try InspectorServer.start(at: path, streams) } catch {
            Inspection.stopWhole()
            throw error
        }
    }

    /// Stops inspecting, removes the socket and forgets all streams, which continue to run.
    public static func stop() {
        InspectorServer.stop()
        Inspection.stopWhole()
    }

    /// The path of the socket; `nil` if none is served.
    public static var socketPath: String? {
        InspectorServer.path
    }

    /// Takes a snapshot of the running streams: those of this test if it inspects its own, otherwise those of the process. O(n log n) for n
    /// operators; the first snapshot also reads the program's debug information.
    package static func snapshot() -> InspectorSnapshot {
        Inspection.current?.snapshot() ?? .ofThisProcess()
    }

    /// Returns the running chains, with the lines that built them. A chain that runs when nothing should run is a leak.
    public static func leaks() -> [Leak] {
        Inspection.current?.counts().chains ?? []
    }

    /// The running chains that this program built, without those inside its operators: one entry each, in the order of their subscriptions.
    public static func chains() -> [Leak] {
        snapshot().roots.filter { $0.isInternal != true }.map { Leak(operatorName: $0.operatorName, place: $0.place, count: 1) }
    }
}

extension Inspector {
    /// The reason why the process cannot be inspected, or why a request has no answer.
    public struct Failure: Error, Codable, Sendable, Equatable {
        /// The reason as a sentence without a period.
        public var error: String

        /// Creates a failure.
        package init(error: String) {
            self.error = error
        }
    }

    /// A line of a program.
    public struct Place: Codable, Sendable, Hashable, CustomStringConvertible {
        /// The module or directory, and the name of the file: `App/Quotes.swift`.
        public var file: String
        /// The line, counted from 1.
        public var line: Int

        /// Creates the place of a line.
        package init(file: String, line: Int) {
            (self.file, self.line) = (file, line)
        }

        public var description: String { "\(file):\(line)" }
    }

    /// A running chain.
    public struct Leak: Codable, Sendable, Hashable, CustomStringConvertible {
        /// The outermost operator of the chain.
        public var operatorName: String
        /// The line that built it.
        public var place: Place?
        /// The number of such chains.
        public var count: Int

        /// Creates a number of equal chains.
        package init(operatorName: String, place: Place?, count: Int) {
            (self.operatorName, self.place, self.count) = (operatorName, place, count)
        }

        /// Counts equal chains; the most frequent come first.
        static func counted(_ chains: [(operatorName: String, place: Place?)]) -> [Leak] {
            let groups = Dictionary(grouping: chains) { Leak(operatorName: $0.operatorName, place: $0.place, count: 1) }
            return groups.map { leak, chains in Leak(operatorName: leak.operatorName, place: leak.place, count: chains.count) }
                .sorted { ($1.count, $0.description) < ($0.count, $1.description) }
        }

        public var description: String {
            "\(count > 1 ? "\(count) × " : "")\(operatorName) (\(place?.description ?? "unknown place"))"
        }
    }
}

extension InspectorSnapshot {
    /// The running chains. Equal ones are counted; the most frequent come first.
    package var leaks: [Inspector.Leak] {
        Inspector.Leak.counted(roots.map { ($0.operatorName, $0.place) })
    }

    /// A snapshot of this process without streams.
    static func ofThisProcess() -> InspectorSnapshot {
        InspectorSnapshot(process: getpid(), program: ProcessInfo.processInfo.processName, time: Date().timeIntervalSince1970)
    }
}
