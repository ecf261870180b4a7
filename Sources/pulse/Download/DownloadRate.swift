/// The rate of a download over its last seconds.
struct DownloadRate {
    private var samples: [(time: Duration, bytes: Int64)] = []

    /// Adds the number of bytes received up to a time. Stores one sample for each tenth of the window. A download that starts anew has
    /// fewer bytes than before.
    mutating func add(_ bytes: Int64, at time: Duration) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if samples.count > 1, time - samples[samples.count - 2].time < Self.window / 10 { samples.removeLast() }
        samples.append((time, bytes))
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
    }

    /// Bytes per second; `nil` until it can be told.
    var perSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= .milliseconds(100) else { return nil }
        return Double(last.bytes - first.bytes) / ((last.time - first.time) / .seconds(1))
    }

    private static let window = Duration.seconds(5)
}
