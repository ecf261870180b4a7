import Dispatch
import Foundation

/// The Dispatch sources of one socket of libcurl, armed for exactly what libcurl asks for: a write source that stays armed while the
/// socket is only waited on fires without end.
///
/// Confined to the engine's queue.
final class CurlSocketWatch {
    /// What a socket is waited on for.
    struct Interest: OptionSet {
        let rawValue: Int32
        static let read = Interest(rawValue: 1)
        static let write = Interest(rawValue: 2)
    }

    private let descriptor: Int32
    private let queue: DispatchQueue
    private let onReady: (Interest) -> Void
    private var reader: ArmableSource?
    private var writer: ArmableSource?

    /// - Parameters:
    ///   - descriptor: stays open until `cancel` has called back.
    ///   - onReady: runs on `queue` each time that the socket can be read or written.
    init(descriptor: Int32, queue: DispatchQueue, onReady: @escaping (Interest) -> Void) {
        self.descriptor = descriptor
        self.queue = queue
        self.onReady = onReady
    }

    /// Waits for this from now on, and for nothing else.
    func arm(_ interest: Interest) {
        if interest.contains(.read), reader == nil {
            reader = ArmableSource(DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)) { [onReady] in onReady(.read) }
        }
        if interest.contains(.write), writer == nil {
            writer = ArmableSource(DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)) { [onReady] in onReady(.write)
            }
        }
        reader?.isArmed = interest.contains(.read)
        writer?.isArmed = interest.contains(.write)
    }

    /// Waits for nothing any more. `closed` runs on the queue as soon as Dispatch has let go of the descriptor, which must not be closed before.
    func cancel(_ closed: @escaping () -> Void) {
        let sources = [reader, writer].compactMap(\.self)
        reader = nil
        writer = nil
        guard !sources.isEmpty else { return closed() }
        let group = PendingCancellations(count: sources.count, closed: closed)
        for source in sources { source.cancel { group.oneIsDone() } }
    }
}

/// Counts the cancel handlers that have still to run. Confined to the engine's queue.
private final class PendingCancellations {
    private var count: Int
    private let closed: () -> Void

    init(count: Int, closed: @escaping () -> Void) {
        self.count = count
        self.closed = closed
    }

    func oneIsDone() {
        count -= 1
        if count == 0 { closed() }
    }
}

/// A Dispatch source whose suspensions are balanced.
private final class ArmableSource {
    private let source: any DispatchSourceProtocol

    init(_ source: any DispatchSourceProtocol, handler: @escaping () -> Void) {
        self.source = source
        source.setEventHandler(handler: ConfinedAction(handler).run)
    }

    /// A source begins suspended.
    var isArmed = false {
        didSet {
            guard isArmed != oldValue else { return }
            if isArmed { source.resume() } else { source.suspend() }
        }
    }

    func cancel(_ done: @escaping () -> Void) {
        source.setCancelHandler(handler: ConfinedAction(done).run)
        source.cancel()
        // A suspended source never calls its cancel handler and must not be released.
        isArmed = true
    }
}

/// Carries a closure over to the engine's queue, which is where it was made: that confinement makes it sound.
struct ConfinedAction: @unchecked Sendable {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    var run: @Sendable () -> Void { { self.action() } }
}
