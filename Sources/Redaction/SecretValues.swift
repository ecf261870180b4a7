import Foundation
internal import HTTPMessages

/// Values that are known to be secret and are redacted wherever they occur.
///
/// Values of fewer than six bytes are excluded by default, because they occur everywhere by coincidence.
package struct SecretValues: Sendable {
    /// Words that precede a secret but are not secret themselves.
    private static let schemes: Set<String> = ["bearer", "digest", "negotiate"]

    private let shortest: Int
    private(set) var known: Set<[UInt8]> = []

    /// - Parameter shortest: the number of bytes from which a value counts.
    package init(shortest: Int = 6) {
        self.shortest = shortest
    }

    /// Adds a value, with its percent-decoded and its percent-encoded form.
    package mutating func insert(_ value: [UInt8]) {
        insertExactly(value)
        guard let text = String(validating: value, as: UTF8.self) else { return }
        if text.utf8.contains(UInt8(ascii: "%")), let decoded = text.removingPercentEncoding { insertExactly(Array(decoded.utf8)) }
        insertExactly(Array(text.percentEncoded.utf8))
    }

    private mutating func insertExactly(_ value: [UInt8]) {
        guard value.count >= shortest, value != SecretScanner.mark,
            !Self.schemes.contains(String(decoding: value.prefix(16), as: UTF8.self).lowercased())
        else { return }
        known.insert(value)
    }

    /// Removes a value.
    package mutating func remove(_ value: [UInt8]) {
        known.remove(value)
    }
}

/// Finds any of many values in one pass, by a tree of their beginnings in which each node knows its longest suffix.
///
/// Source: [Efficient string matching, 1975](https://doi.org/10.1145/360825.360855).
struct SecretMatcher: Sendable {
    /// The node that follows a node with a byte.
    private var edges: [UInt64: Int32] = [:]
    /// For each node, the node of its longest proper suffix that begins a value.
    private var suffixes: [Int32] = [0]
    /// For each node, the length of the longest value that ends there; 0 if there is none.
    private var lengths: [Int32] = [0]

    /// Builds the tree. Complexity: O(n) in the bytes of the values.
    init(_ values: Set<[UInt8]>) {
        var byDepth: [[(parent: Int32, byte: UInt8, node: Int32)]] = []
        for value in values {
            var node: Int32 = 0
            for (depth, byte) in value.enumerated() {
                if let next = edges[Self.edge(node, byte)] {
                    node = next
                    continue
                }
                let next = Int32(suffixes.count)
                suffixes.append(0)
                lengths.append(0)
                edges[Self.edge(node, byte)] = next
                if depth == byDepth.count { byDepth.append([]) }
                byDepth[depth].append((node, byte, next))
                node = next
            }
            lengths[Int(node)] = Int32(value.count)
        }
        for (parent, byte, node) in byDepth.dropFirst().joined() {
            let suffix = following(suffixes[Int(parent)], byte)
            suffixes[Int(node)] = suffix
            lengths[Int(node)] = max(lengths[Int(node)], lengths[Int(suffix)])
        }
    }

    private static func edge(_ node: Int32, _ byte: UInt8) -> UInt64 { UInt64(node) << 8 | UInt64(byte) }

    private func following(_ node: Int32, _ byte: UInt8) -> Int32 {
        var node = node
        while true {
            if let next = edges[Self.edge(node, byte)] { return next }
            guard node != 0 else { return 0 }
            node = suffixes[Int(node)]
        }
    }

    /// Returns these bytes with every value replaced by the mark; overlapping values share one mark.
    ///
    /// Complexity: O(n) in the bytes, independent of the values.
    func replaced(in bytes: [UInt8]) -> [UInt8] {
        guard suffixes.count > 1 else { return bytes }
        var places: [Range<Int>] = []
        var node: Int32 = 0
        for (index, byte) in bytes.enumerated() {
            node = following(node, byte)
            let length = Int(lengths[Int(node)])
            guard length > 0 else { continue }
            var place = (index + 1 - length)..<(index + 1)
            while let last = places.last, last.upperBound > place.lowerBound {
                place = min(last.lowerBound, place.lowerBound)..<place.upperBound
                places.removeLast()
            }
            places.append(place)
        }
        guard !places.isEmpty else { return bytes }
        var result: [UInt8] = []
        var copied = 0
        for place in places {
            result += bytes[copied..<place.lowerBound] + SecretScanner.mark
            copied = place.upperBound
        }
        return result + bytes[copied...]
    }
}
