import Foundation
import Streams

extension URL {
    /// Emits the non-empty lines of this file, read for each subscription. Fails if the file cannot be read.
    var lines: Observable<String> {
        .deferred {
            let text = try String(contentsOf: self, encoding: .utf8)
            return .from(text.split(whereSeparator: \.isNewline).map(String.init))
        }
    }
}
