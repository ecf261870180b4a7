import Foundation

/// One way to ask for the same thing.
protocol Client: Sendable {
    var name: String { get }
    /// The only number of requests at once that it is for; `nil` if it is for any.
    var onlyAtOnce: Int? { get }

    /// Asks so many times, so many at once, and returns when all were answered and decoded. Throws if one was not.
    func run(_ count: Int, atOnce: Int) throws
}

extension Client {
    var onlyAtOnce: Int? { nil }
}

/// An answer is missing or another than it should be.
struct LostAnswer: Error, LocalizedError {
    let client: String
    let text: String

    var errorDescription: String? { "\(client) lost an answer: \(text)" }
}

/// The median round of one client.
struct Figures: Sendable {
    let client: String
    let atOnce: Int
    let perSecond: Double
    let microsecondsOfCPU: Double
}

/// Lets the clients ask in turns, so that what slows the machine slows all of them, and takes the middle of the rounds.
struct Harness {
    let rounds: Int
    /// About how long a round of one client is.
    let duration: Duration

    func measure(_ clients: [any Client], atOnce: [Int]) throws -> [Figures] {
        let cases = clients.flatMap { client in (client.onlyAtOnce.map { [$0] } ?? atOnce).map { (client: client, atOnce: $0) } }
        let counts = try cases.map { try count(for: $0.client, $0.atOnce) }
        var samples = cases.map { _ in [(perSecond: Double, cpu: Double)]() }
        for _ in 0..<rounds {
            for (index, one) in cases.enumerated() {
                let clock = ContinuousClock.now
                let before = processTime()
                try one.client.run(counts[index], atOnce: one.atOnce)
                let used = processTime() - before
                let count = Double(counts[index])
                samples[index].append((count / ((ContinuousClock.now - clock) / .seconds(1)), used / .microseconds(1) / count))
            }
        }
        return zip(cases, samples).map { one, samples in
            Figures(
                client: one.client.name, atOnce: one.atOnce, perSecond: samples.map(\.perSecond).middle,
                microsecondsOfCPU: samples.map(\.cpu).middle)
        }
    }

    /// How many requests fill a round; what is made with the first ones is made here.
    private func count(for client: any Client, _ atOnce: Int) throws -> Int {
        let few = client.onlyAtOnce == 1 ? 50 : 400
        try client.run(few, atOnce: atOnce)
        let start = ContinuousClock.now
        try client.run(few, atOnce: atOnce)
        return max(few, Int(Double(few) * (duration / (ContinuousClock.now - start))))
    }
}

extension [Double] {
    fileprivate var middle: Double { isEmpty ? 0 : sorted()[count / 2] }
}

/// The CPU time of this process so far; the server is another.
private func processTime() -> Duration {
    var usage = rusage()
    #if os(Linux)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
        getrusage(RUSAGE_SELF, &usage)
    #endif
    return .seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + .microseconds(Int64(usage.ru_utime.tv_usec) + Int64(usage.ru_stime.tv_usec))
}
