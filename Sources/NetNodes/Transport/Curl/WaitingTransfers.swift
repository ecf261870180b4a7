/// The transfers of an engine that wait for something other than libcurl. Confined to the engine's thread.
struct WaitingTransfers {
    /// Those that wait for the end of a body that has to be empty.
    private var preparing: [CurlTransfer] = []
    /// Those with another request, which begins when the events of the previous one have been delivered: it may run in another loop.
    private var following: [CurlTransfer] = []
    /// Those whose next request waits for a place.
    private var queued: [CurlTransfer] = []
    /// Those whose bytes wait until earlier ones have been delivered.
    private var blocked: [CurlTransfer] = []

    var isEmpty: Bool { preparing.isEmpty && following.isEmpty && queued.isEmpty && blocked.isEmpty }

    /// Those without a handle of libcurl whose time may expire.
    var withoutHandle: [CurlTransfer] { preparing + queued }

    var hasBlocked: Bool { !blocked.isEmpty }

    var hasFollowing: Bool { !following.isEmpty }

    mutating func prepare(_ transfer: CurlTransfer) { preparing.append(transfer) }

    mutating func follow(_ transfer: CurlTransfer) { following.append(transfer) }

    mutating func queue(_ transfer: CurlTransfer) { queued.append(transfer) }

    mutating func block(_ transfer: CurlTransfer) {
        guard !transfer.isBlocked else { return }
        transfer.isBlocked = true
        blocked.append(transfer)
    }

    /// Removes a transfer that begins or ends, and returns whether it was prepared.
    @discardableResult
    mutating func remove(_ transfer: CurlTransfer) -> Bool {
        if !queued.isEmpty { queued.removeAll { $0 === transfer } }
        guard let index = preparing.firstIndex(where: { $0 === transfer }) else { return false }
        preparing.remove(at: index)
        return true
    }

    mutating func unblock(_ transfer: CurlTransfer) {
        if transfer.isBlocked { blocked.removeAll { $0 === transfer } }
        transfer.isBlocked = false
    }

    mutating func takeFollowing() -> [CurlTransfer] {
        defer { following = [] }
        return following
    }

    mutating func takeBlocked() -> [CurlTransfer] {
        defer { blocked = [] }
        for transfer in blocked { transfer.isBlocked = false }
        return blocked
    }
}
