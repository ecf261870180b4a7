import Foundation
import TerminalViews

/// Errors as one line for people.
enum ErrorWording {
    /// The error's own sentence, on one line and safe to print, without the full stop.
    static func sentence(_ error: any Error) -> String {
        let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
        let line = TerminalText.sanitized(text.trimmingCharacters(in: .whitespacesAndNewlines))
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}
