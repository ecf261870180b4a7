import Foundation
import Streams
import StreamsTesting

/// Collects what it is sent.
actor Ledger {
    var numbers: [Int] = []
    var ends: [String] = []

    func add(_ number: Int) { numbers.append(number) }
}

/// Waits until something has happened that other threads do.
func wait(until isDone: @Sendable () async -> Bool) async {
    let limit = ContinuousClock.now + .seconds(3_600)
    while await !isDone(), ContinuousClock.now < limit { await Task.yield() }
}

/// Emits numbers, and lets other tasks run between them.
func emit(_ count: Int, into subject: PublishSubject<Int>) async {
    for number in 0..<count {
        subject.onNext(number)
        if number.isMultiple(of: 3) { await Task.yield() }
    }
}
