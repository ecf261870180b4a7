import Foundation
import Testing

@testable import Bytes

@Suite("The line splitter")
struct LineSplitterTests {
    private struct TooLong: Error, Equatable {
        let number: Int
        let limit: Int
    }

    @Test(arguments: [
        ("a\nb\n", ["a", "b"], ["a", "b"]), ("a\r\nb\r\n", ["a", "b"], ["a", "b"]), ("a\rb\r", ["a\rb"], ["a", "b"]),
        ("\r\r\n\n\r", ["\r", "", ""], ["", "", "", ""]), ("a\n\rb", ["a", "\rb"], ["a", "", "b"]), ("", [], []),
        ("\u{FEFF}a\n\u{FEFF}", ["a", "\u{FEFF}"], ["a", "\u{FEFF}"]),
    ])
    func `The lines are the same wherever the bytes are cut`(text: String, lineFeeds: [String], carriageReturnsToo: [String]) throws {
        let bytes = Array(text.utf8)
        for (ending, expected) in [(LineSplitter.Ending.lineFeed, lineFeeds), (.carriageReturnToo, carriageReturnsToo)] {
            for first in 0...bytes.count {
                for second in first...bytes.count {
                    let lines = try lines(of: [bytes[..<first], bytes[first..<second], bytes[second...]], ending)
                    #expect(lines == expected, "cut at \(first) and \(second)")
                }
            }
        }
    }

    @Test(arguments: [LineSplitter.Ending.lineFeed, .carriageReturnToo])
    func `A line that is too long is counted`(ending: LineSplitter.Ending) {
        #expect(throws: TooLong(number: 2, limit: 3)) { try lines(of: [Array("abc\nabcd".utf8)[...]], ending, limit: 3) }
        #expect(throws: TooLong(number: 2, limit: 3)) { try lines(of: [Array("abc\nabcd\n".utf8)[...]], ending, limit: 3) }
    }

    @Test func `A line that is too long is cut where that is wished, wherever the bytes are cut`() throws {
        let bytes = Array("abc\nabcdefgh\r\n\nabcd\nabcdef".utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let parts = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(try lines(of: parts, .lineFeed, limit: 4, cuts: true) == ["abc", "abcd", "", "abcd", "abcd"])
            }
        }
    }

    /// The numbers of the lines are checked here.
    private func lines(
        of parts: [ArraySlice<UInt8>], _ ending: LineSplitter.Ending, limit: Int = 100, cuts: Bool = false
    ) throws -> [String] {
        var splitter = LineSplitter(limit: limit, ending: ending, cutsLongLines: cuts) { TooLong(number: $0, limit: $1) }
        var lines: [String] = []
        func add(_ number: Int, _ bytes: UnsafeRawBufferPointer) {
            lines.append(String(decoding: bytes, as: UTF8.self))
            #expect(number == lines.count)
        }
        for part in parts {
            try part.withUnsafeBytes { bytes in
                var rest = bytes
                while try splitter.next(in: &rest, add) != nil {}
            }
        }
        _ = splitter.finish(add)
        return lines
    }
}
