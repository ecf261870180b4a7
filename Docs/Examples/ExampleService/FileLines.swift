import Foundation
import SystemSources

extension URL {
    /// Emits the non-empty lines of this file, read for each subscription. Fails if the file cannot be read.
    var lines: Observable<String> {
        .lines(of: self).filter { !$0.isEmpty }
    }
}
