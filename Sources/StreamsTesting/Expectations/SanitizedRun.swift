import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Leaves a suite or a test of this package out of its runs under ThreadSanitizer, which set `STREAMS_SANITIZED`: its work stays on one
    /// thread, or in child processes, where the sanitizer has nothing to find.
    package static var onOneThread: Self {
        .enabled(if: ProcessInfo.processInfo.environment["STREAMS_SANITIZED"] == nil, "its work stays on one thread")
    }
}
