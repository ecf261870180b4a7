import Foundation
import Streams

/// The files of one process. When the process is killed, everything stays that a call wrote before it returned.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
public final class SimulatedDisk: @unchecked Sendable {
    /// The reason why a call failed.
    public enum Failure: Error, Equatable, LocalizedError {
        /// There is no file of this name.
        case missing(String)
        /// The disk is full.
        case full(String)

        /// The error as a sentence.
        public var errorDescription: String? {
            switch self {
            case .missing(let name): "There is no file \(name)."
            case .full(let name): "\(name) cannot be written: the disk is full."
            }
        }
    }

    private let loop: EventLoop
    private var files: [String: Data] = [:]
    private var slow = CurrentFaults()
    private var full = CurrentFaults()

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// The names of the files, sorted.
    public var names: [String] { files.keys.sorted() }

    /// Returns the content of a file. Throws ``Failure/missing(_:)``.
    public func read(_ name: String) async throws -> Data {
        try await access { disk in
            guard let data = disk.files[name] else { throw Failure.missing(name) }
            return data
        }
    }

    /// Replaces a file, completely or not at all. Throws ``Failure/full(_:)``.
    public func write(_ data: Data, to name: String) async throws {
        try await access { disk in
            try disk.requireRoom(for: name)
            disk.files[name] = data
        }
    }

    /// Appends to a file, which is created if it is missing. Throws ``Failure/full(_:)``.
    public func append(_ data: Data, to name: String) async throws {
        try await access { disk in
            try disk.requireRoom(for: name)
            disk.files[name, default: Data()] += data
        }
    }

    /// Removes a file, if there is one.
    public func remove(_ name: String) async throws {
        try await access { disk in disk.files[name] = nil }
    }

    func slow(for duration: Duration, by fault: FaultOccurrence) { slow.add(fault, until: loop.time.now + duration) }

    func fill(for duration: Duration, by fault: FaultOccurrence) { full.add(fault, until: loop.time.now + duration) }

    private func requireRoom(for name: String) throws {
        guard !full.hinder(at: loop.time.now) else { throw Failure.full(name) }
    }

    /// Calls `body` after the time that the disk takes. A process that has ended meanwhile does nothing.
    private func access<Result: Sendable>(_ body: @escaping @Sendable (SimulatedDisk) throws -> Result) async throws -> Result {
        let scheduler = LoopScheduler(loop: loop, owner: .current)
        let delay = slow.hinder(at: loop.time.now) ? Duration.seconds(10) : .microseconds(100)
        let access = Observable<Int>.timer(delay, scheduler: scheduler).map { [self] _ in try body(self) }
        for try await result in access.values { return result }
        throw CancellationError()
    }
}
