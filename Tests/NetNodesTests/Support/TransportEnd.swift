import TestSupport

@testable import NetNodes

extension CurlTransport {
    /// Shuts the transport down, and fills the slot when that has ended.
    func beginShutDown(within limit: Duration) -> Slot<Bool> {
        let ended = Slot<Bool>()
        // Ahead of the tests that wait for a thread of the pool, which may take longer than the requests' idle timeout.
        Task(priority: .high) {
            await shutDown(within: limit)
            ended.fill(true)
        }
        return ended
    }
}
