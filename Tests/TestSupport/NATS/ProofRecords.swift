import Foundation
import NATSNodes

/// A count for which a thread can wait.
final class Progress: @unchecked Sendable {
    private let condition = NSCondition()
    // Sound: accessed under the condition's lock.
    private var value = 0
    private var error: (any Error)?
    private let name: String

    init(of name: String) {
        self.name = name
    }

    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return value
    }

    func increment() {
        condition.lock()
        value += 1
        condition.broadcast()
        condition.unlock()
    }

    func fail(_ error: any Error) {
        condition.lock()
        self.error = error
        condition.broadcast()
        condition.unlock()
    }

    struct Stalled: Error, CustomStringConvertible {
        let description: String
    }

    /// Waits for a count, with ten minutes for each step.
    func wait(for target: Int) throws {
        condition.lock()
        defer { condition.unlock() }
        while value < target {
            if let error { throw error }
            let before = value
            guard condition.wait(until: Date(timeIntervalSinceNow: 600)) || value > before else {
                throw Stalled(description: "no progress of \(name) beyond \(value) of \(target) for ten minutes")
            }
        }
    }
}

/// The elements of a replay, which must be every number, once and in order.
final class Reading: @unchecked Sendable {
    private let progress = Progress(of: "the replay")
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var next = 0
    private var wrong = 0

    func receive(_ number: Int) {
        lock.lock()
        if number != next { wrong += 1 }
        next = number + 1
        lock.unlock()
        progress.increment()
    }

    func fail(_ error: any Error) { progress.fail(error) }

    func wait(for target: Int) throws { try progress.wait(for: target) }

    var faults: Int {
        lock.lock()
        defer { lock.unlock() }
        return wrong
    }
}

/// The messages that a consumer receives.
final class Deliveries: @unchecked Sendable {
    private let progress = Progress(of: "the consumer")
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var seen = Set<Int>()
    private var highest = -1
    private var outOfOrder = 0
    private var again = 0

    func receive(_ number: Int) {
        lock.lock()
        let isNew = seen.insert(number).inserted
        if isNew, number < highest { outOfOrder += 1 }
        if !isNew { again += 1 }
        highest = max(highest, number)
        lock.unlock()
        if isNew { progress.increment() }
    }

    func fail(_ error: any Error) { progress.fail(error) }

    func wait(for target: Int) throws { try progress.wait(for: target) }

    var report: ClusterProof.Report {
        lock.lock()
        defer { lock.unlock() }
        var report = ClusterProof.Report()
        report.redelivered = again
        report.deliveredLate = outOfOrder
        return report
    }
}

/// Waits for the elements of a stream.
func elements<Element>(of stream: Observable<Element>) throws -> [Element] {
    let outcome = Outcome<Element>()
    let subscription = stream.subscribe { outcome.receive($0) }
    defer { subscription.dispose() }
    return try outcome.wait()
}

func wait<Element>(for stream: Observable<Element>) throws {
    _ = try elements(of: stream)
}

final class Outcome<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private let semaphore = DispatchSemaphore(value: 0)
    // Sound: accessed under the lock.
    private var elements: [Element] = []
    private var error: (any Error)?

    func receive(_ event: Event<Element>) {
        lock.lock()
        switch event {
        case .next(let element): elements.append(element)
        case .error(let error): self.error = error
        case .completed: break
        }
        lock.unlock()
        if event.isStopEvent { semaphore.signal() }
    }

    func wait() throws -> [Element] {
        semaphore.wait()
        lock.lock()
        defer { lock.unlock() }
        if let error { throw error }
        return elements
    }
}
