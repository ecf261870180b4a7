/// The path of a route: literal segments, `:name` for any one segment, and `*` at the end for all remaining ones.
struct PathPattern: Sendable, Equatable {
    private enum Segment: Sendable, Equatable {
        case literal(String)
        case parameter(String)
        case rest
    }

    /// The closeness of a pattern to a path, segment by segment: a literal beats a parameter, a parameter beats `*`.
    struct Closeness: Comparable {
        let ranks: [Int]

        static func < (left: Closeness, right: Closeness) -> Bool { left.ranks.lexicographicallyPrecedes(right.ranks) }
    }

    private let segments: [Segment]

    init(_ path: String) {
        let path = path.hasPrefix("/") ? path.dropFirst() : path[...]
        segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            switch segment.first {
            case ":": .parameter(String(segment.dropFirst()))
            case "*" where segment.count == 1: .rest
            default: .literal(String(segment))
            }
        }
    }

    var closeness: Closeness {
        Closeness(
            ranks: segments.map { segment in
                switch segment {
                case .literal: 2
                case .parameter: 1
                case .rest: 0
                }
            })
    }

    /// Returns the parameters if the path matches; the remaining segments are under `*`.
    func match(_ path: [String]) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if segment == .rest {
                parameters["*"] = path.dropFirst(index).joined(separator: "/")
                return parameters
            }
            guard index < path.count else { return nil }
            switch segment {
            case .literal(let text) where text != path[index]: return nil
            case .parameter(let name): parameters[name] = path[index]
            default: continue
            }
        }
        return segments.count == path.count ? parameters : nil
    }
}
