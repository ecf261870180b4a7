extension Marble {
    /// Draws recorded events as diagrams that can be parsed again.
    ///
    /// An element is drawn as its character in `values`, as itself if it is a single character, and otherwise as a letter that the legend
    /// explains. One printer assigns equal elements equal characters in all its diagrams.
    public struct Printer {
        private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        private static let reserved: Set<Character> = ["-", "|", "#", "(", ")", "^", "!", " "]
        private var characters: [String: Character]
        private var explained: [(character: Character, element: String)] = []
        private var errors: [String] = []

        /// Creates a printer that uses the names of `values`.
        public init<Element>(values: [Character: Element]) {
            characters = Dictionary(values.map { (String(describing: $0.value), $0.key) }) { first, second in min(first, second) }
        }

        /// Creates a printer without names.
        public init() {
            characters = [:]
        }

        /// The meaning of each letter, one per line, followed by the errors.
        public var legend: [String] {
            explained.map { "\($0.character) = \($0.element)" } + errors.map { "# = \($0)" }
        }

        /// Draws events. Events that a diagram cannot show (times between ticks, a group that does not fit) are listed instead.
        public mutating func draw<Element>(_ events: [Recorded<Element>]) -> String {
            var line = ""
            var rest = events[...]
            while let first = rest.first {
                let simultaneous = rest.prefix { $0.time == first.time }
                rest = rest.dropFirst(simultaneous.count)
                guard let tick = Self.tick(of: first.time), tick >= line.count else {
                    return events.map(\.description).joined(separator: ", ")
                }
                line += String(repeating: "-", count: tick - line.count)
                let marbles = simultaneous.map { marble($0.event) }
                line += marbles.count == 1 ? marbles[0] : "(\(marbles.joined()))"
            }
            return line
        }

        /// Draws an interval: `--^---!`.
        public static func draw(_ interval: TestScheduler.Subscription) -> String {
            guard let begin = tick(of: interval.subscribed) else { return "\(interval)" }
            let start = String(repeating: "-", count: begin) + "^"
            guard let disposed = interval.disposed else { return start }
            guard let end = tick(of: disposed), end > begin else { return "\(interval)" }
            return start + String(repeating: "-", count: end - begin - 1) + "!"
        }

        private mutating func marble<Element>(_ event: Event<Element>) -> String {
            switch event {
            case .next(let element): return String(assignCharacter(to: String(describing: element)))
            case .error(let error):
                let text = String(describing: error)
                if text != TestError.failed.name, !errors.contains(text) { errors.append(text) }
                return "#"
            case .completed: return "|"
            }
        }

        private mutating func assignCharacter(to element: String) -> Character {
            if let known = characters[element] { return known }
            let taken = Set(characters.values)
            let own = element.count == 1 ? element.first : nil
            let free = Self.letters.first { !taken.contains($0) }
            let chosen = own.flatMap { Self.reserved.contains($0) || taken.contains($0) ? nil : $0 } ?? free ?? "?"
            characters[element] = chosen
            if String(chosen) != element { explained.append((chosen, element)) }
            return chosen
        }

        private static func tick(of time: Duration) -> Int? {
            let (seconds, attoseconds) = time.components
            return attoseconds == 0 ? Int(seconds) : nil
        }
    }
}
