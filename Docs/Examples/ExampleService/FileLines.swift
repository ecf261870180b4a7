import Foundation
import Streams

extension URL {
    /// The lines of this file without those that are empty, read at each subscription. Fails as reading fails.
    var lines: Observable<String> {
        .deferred {
            let text = try String(contentsOf: self, encoding: .utf8)
            return .from(text.split(whereSeparator: \.isNewline).map(String.init))
        }
    }
}
