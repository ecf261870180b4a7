import Foundation
import SystemSources

/// A line of the log for programs: what happened, and the figures of the load at that moment.
struct LogRecord: Codable, Equatable, Sendable {
    let event: String
    /// The workers that run, and the jobs that wait for one.
    let running: Int
    let queued: Int
    /// The calls of workers that have succeeded and failed until now.
    let succeeded: Int
    let failed: Int
    let breaker: String

    /// The record as JSON.
    var line: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension Service {
    /// Emits the lines of the service, and appends each to a log as JSON with the figures of the load. The log is rotated at 10 MB.
    ///
    /// Fails if the log can no longer be written. Completes when the service is to stop and each line is on the disk.
    func lines(until stops: Observable<Int32>, loggedTo log: URL) -> Observable<String> {
        lines.take(until: stops).multicast({ PublishSubject() }) { lines in
            let records = lines.map { try record($0).line }
                .write(appendingTo: log, rotation: FileRotation(size: 10 << 20, keeping: 7), scheduler: scheduler)
            return .merge(records.asObservable().ofType(String.self), lines)
        }
    }

    private func record(_ event: String) -> LogRecord {
        let (calls, places) = (breaker.currentMetrics, workers.currentMetrics)
        return LogRecord(
            event: event, running: places.running, queued: places.queued, succeeded: calls.succeeded, failed: calls.failed,
            breaker: "\(calls.state)")
    }
}
