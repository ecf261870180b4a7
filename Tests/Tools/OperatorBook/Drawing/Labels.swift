/// The labels of the marbles of a diagram: their elements, or letters that a legend explains where those are too long.
struct Labels {
    static let radius = 15.0
    static let narrowest = 38.0
    private static let comfortable = 50.0
    private static let widest = 62.0
    private static let characterWidth = 7.9

    /// Seconds are this far apart.
    let tick: Double
    /// `a = success(1)`, and the errors that are not the sources' own.
    private(set) var legend: [String] = []
    private var letters: [String: String] = [:]
    private var colours: [String: Int] = [:]

    init(_ diagram: Diagram, letters preferred: [String: Character], width: Double) {
        let moments = diagram.lanes.map(\.moments)
        let elements = moments.flatMap { $0.flatMap { $0.events.compactMap(Self.element) } }.uniqued()
        let asWritten = Self.tick(for: moments) { $0 }
        if asWritten > Self.widest {
            var free = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".filter { letter in
                !elements.contains(String(letter)) && !preferred.values.contains(letter)
            }[...]
            for element in elements where Self.width(of: element) > 2 * Self.radius {
                let letter = String(preferred[element] ?? free.popFirst() ?? "?")
                letters[element] = letter
                legend.append("\(letter) = \(element)")
            }
        }
        let letters = letters
        let filling = min(Self.comfortable, width / (Double(diagram.seconds) + 1))
        tick = max(Self.narrowest, filling, min(Self.widest, Self.tick(for: moments) { letters[$0] ?? $0 })).rounded()
        for element in elements { colours[element] = colours.count }
        let errors = moments.flatMap { $0.flatMap { $0.events.compactMap(Self.error) } }.uniqued()
        legend += errors.filter { $0 != "failed" }.map { "✕ = \($0)" }
    }

    /// How far the marbles at the beginning reach to the left of it.
    func overhang(of diagram: Diagram) -> Double {
        let first = diagram.lanes.flatMap { $0.moments.filter { $0.time == 0 }.flatMap { $0.events.compactMap(Self.element) } }
        return max(0, (first.map { Self.width(of: text(of: $0)) }.max() ?? 0) / 2 - tick / 2)
    }

    /// How far the marbles reach to the right of the time zero.
    func reach(of diagram: Diagram) -> Double {
        let ends = diagram.lanes.flatMap(\.moments).flatMap { moment in
            moment.events.compactMap(Self.element).map { moment.time * tick + Self.width(of: text(of: $0)) / 2 }
        }
        return ends.max() ?? 0
    }

    func text(of element: String) -> String {
        letters[element] ?? element
    }

    /// The number of its colour; equal elements have the same in all lanes.
    func colour(of element: String) -> Int {
        (colours[element] ?? 0) % 8
    }

    static func width(of text: String) -> Double {
        text.count <= 2 ? 2 * radius : max(2 * radius, Double(text.count) * characterWidth + 16)
    }

    /// How far seconds must be apart for marbles not to overlap.
    private static func tick(for lanes: [[Diagram.Moment]], text: (String) -> String) -> Double {
        var needed = 0.0
        for moments in lanes {
            let widths = moments.map { $0.events.compactMap(element).map { width(of: text($0)) }.max() ?? 12 }
            for (index, pair) in zip(moments, moments.dropFirst()).enumerated() {
                needed = max(needed, ((widths[index] + widths[index + 1]) / 2 + 5) / (pair.1.time - pair.0.time))
            }
        }
        return needed
    }

    private static func element(_ mark: Diagram.Moment.Mark) -> String? {
        if case .element(let element) = mark { element } else { nil }
    }

    private static func error(_ mark: Diagram.Moment.Mark) -> String? {
        if case .error(let error) = mark { error } else { nil }
    }
}

extension Sequence where Element: Hashable {
    /// The first of each of equal elements, in order.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
