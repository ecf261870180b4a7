internal import Bytes
import Foundation
import NetNodes

/// Finds the position of a value in JSON text, for errors about its meaning. The text must be valid.
struct JSONPlaces {
    enum Step: Hashable, Sendable {
        case member(String)
        case element(Int)
    }

    private let bytes: [UInt8]
    private var position = 0

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the offset of the value at that path, or, with `isName`, of the name of that member; if it is not found, the offset of the
    /// complete text. O(n).
    static func offset(of path: [Step], isName: Bool = false, in text: String) -> Int {
        var places = JSONPlaces(text)
        return places.find(path[...], isName: isName) ?? 0
    }

    /// Returns the line and the column of an offset, both counted from 1, the column in characters.
    static func place(ofOffset offset: Int, in text: String) -> (line: Int, column: Int) {
        let before = Array(text.utf8.prefix(offset))
        let line = before.count { $0 == UInt8(ascii: "\n") }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (line + 1, String(decoding: before[start...], as: UTF8.self).count + 1)
    }

    /// Returns the first member whose name its object has had before, with the offsets of both names. O(n).
    static func repeatedMember(in text: String) -> (name: String, first: Int, second: Int)? {
        var places = JSONPlaces(text)
        // The names of the objects around the position, with their offsets; an array has none.
        var names: [[String: Int]?] = []
        var isName = false
        while let byte = places.current {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                isName = byte == UInt8(ascii: "{")
                names.append(isName ? [:] : nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): names.removeLast()
            case UInt8(ascii: ","): isName = names.last != .some(nil)
            case UInt8(ascii: ":"): isName = false
            case UInt8(ascii: "\"") where isName:
                let start = places.position
                let name = places.takeString()
                if let first = names[names.count - 1]?.updateValue(start, forKey: name) { return (name, first, start) }
                continue
            case UInt8(ascii: "\""):
                places.skipString()
                continue
            default: break
            }
            places.position += 1
        }
        return nil
    }

    private mutating func find(_ path: ArraySlice<Step>, isName: Bool) -> Int? {
        skipBlanks()
        guard let step = path.first else { return position }
        let isObject = current == UInt8(ascii: "{")
        guard isObject || current == UInt8(ascii: "[") else { return nil }
        position += 1
        var index = 0
        while true {
            skipBlanks()
            guard let byte = current, byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") else { return nil }
            let start = position
            var own = Step.element(index)
            if isObject {
                own = .member(takeString())
                skipBlanks()
                position += 1
            }
            if own == step {
                if isName, path.count == 1 { return start }
                return find(path.dropFirst(), isName: isName)
            }
            skipValue()
            skipBlanks()
            if current == UInt8(ascii: ",") { position += 1 }
            index += 1
        }
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = current, byte.isBlank || byte.isLineEnd || byte >= 0xBB && position < 3 {
            position += 1
        }
    }

    private mutating func takeString() -> String {
        let start = position
        skipString()
        return (try? JSON(parsing: Data(bytes[start..<position])))?.string ?? ""
    }

    private mutating func skipString() {
        position += 1
        while let byte = current, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        position += 1
    }

    private mutating func skipValue() {
        var depth = 0
        repeat {
            skipBlanks()
            switch current {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: ","), UInt8(ascii: ":"): position += 1
            case nil: return
            default: while let byte = current, !",]}: \n\r\t".utf8.contains(byte) { position += 1 }
            }
        } while depth > 0
    }
}
