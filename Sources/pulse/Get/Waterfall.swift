import NetNodes

/// The phases of a transfer, one after another.
struct TransferPhases {
    struct Phase: Equatable {
        let name: String
        let start: Duration
        let duration: Duration
    }

    let all: [Phase]
    let total: Duration

    /// Computes the phases. The times of a transfer are the ends of its phases; the first begins after the redirects.
    init(_ metrics: HTTPResponse.Metrics) {
        var phases: [Phase] = []
        var position = Duration.zero
        let begin = metrics.redirecting ?? .zero
        let ends: [(String, Duration?)] = [
            (metrics.redirects == 1 ? "redirect" : "redirects", metrics.redirecting),
            ("name lookup", metrics.reusedConnection ? nil : metrics.nameLookup.map { begin + $0 }),
            ("connect", metrics.reusedConnection ? nil : metrics.connect.map { begin + $0 }),
            ("TLS", metrics.reusedConnection ? nil : metrics.secureConnect.map { begin + $0 }),
            ("wait", metrics.firstByte.map { begin + $0 }), ("body", metrics.total),
        ]
        for (name, end) in ends {
            guard let end, end >= position else { continue }
            phases.append(Phase(name: name, start: position, duration: end - position))
            position = end
        }
        all = phases
        total = metrics.total
    }
}

/// The phases of a transfer as a waterfall: each begins where the previous one ends.
struct Waterfall {
    let palette: Palette
    /// The columns of the terminal.
    let width: Int
    /// Whether only ASCII can be shown.
    let isASCII: Bool

    /// The lines, the total last.
    func lines(_ metrics: HTTPResponse.Metrics) -> [String] {
        let phases = TransferPhases(metrics)
        let room = max(10, min(60, width - 28))
        let rows = phases.all.map { phase in
            let (start, length) = place(phase, of: phases.total, in: room)
            let bar =
                String(repeating: " ", count: start) + palette(role(phase.name), String(repeating: isASCII ? "#" : "█", count: length))
            return "\(label(phase.name))\(time(phase.duration))  \(bar)"
        }
        return rows + [palette(.strong, "\(label("total"))\(time(phases.total))")]
    }

    /// Returns the place of a phase; every phase is visible, even a short one.
    private func place(_ phase: TransferPhases.Phase, of total: Duration, in room: Int) -> (start: Int, length: Int) {
        guard total > .zero else { return (0, 1) }
        let scale = Double(room) / (total / .nanoseconds(1))
        let start = min(room - 1, Int((phase.start / .nanoseconds(1)) * scale))
        return (start, max(1, min(room - start, Int(((phase.duration / .nanoseconds(1)) * scale).rounded()))))
    }

    private func label(_ text: String) -> String { text + String(repeating: " ", count: max(1, 13 - text.count)) }

    private func time(_ duration: Duration) -> String {
        let text = Wording.milliseconds(duration.milliseconds)
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }

    private func role(_ phase: String) -> Palette.Role {
        switch phase {
        case "name lookup": .key
        case "connect": .number
        case "TLS": .literal
        case "wait": .string
        default: .dim
        }
    }
}
