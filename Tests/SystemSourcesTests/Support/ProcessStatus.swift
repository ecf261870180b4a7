import Foundation
import TestSupport
import Testing

#if os(Linux)
    /// The system's figures of a process.
    struct ProcessStatus {
        private let folder: String

        init(_ number: String) {
            folder = "/proc/\(number)"
        }

        /// `R` if it runs, `S` if it sleeps, `Z` if it has ended and was not reaped; `nil` if there is none.
        var state: Character? {
            guard let line = try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8) else { return nil }
            // The name before the state is in parentheses, and may contain some.
            return line.lastIndex(of: ")").flatMap { line[line.index(after: $0)...].drop { $0 == " " }.first }
        }

        /// How many bytes it has written.
        var bytesWritten: Int? {
            let text = try? String(contentsOfFile: "\(folder)/io", encoding: .utf8)
            return text?.split(separator: "\n").first { $0.hasPrefix("wchar: ") }.flatMap { Int($0.dropFirst(7)) }
        }

        /// Waits until it is in `state`.
        func wait(for state: Character) throws {
            try #require(comesTrue { self.state == state })
        }

        /// Waits until it sleeps in a write: it has written some, and no more since the last look.
        func waitUntilItWritesNoMore() throws {
            var last = 0
            let isWaiting = comesTrue {
                let written = bytesWritten ?? 0
                defer { last = written }
                return state == "S" && written == last && written > 1_000
            }
            try #require(isWaiting)
        }
    }
#endif
