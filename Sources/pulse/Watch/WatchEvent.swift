import Foundation
import NetNodes

/// What happens in a watch.
enum WatchEvent: Sendable, Equatable {
    /// The endpoints that are checked from now on.
    case targets([WatchTarget])
    case check(Check)
    /// A problem of the watch itself; `nil` when it is solved.
    case problem(String?)
}
