/// Who may go and who waits, host by host: more requests than connections wait here in their order and not in libcurl, where each would hold
/// a handle and a buffer of 64 KB meanwhile.
struct HostQueues {
    /// A place in a queue.
    struct Place: Equatable {
        fileprivate let host: Host
        fileprivate let ticket: Int?
    }

    fileprivate struct Host: Hashable {
        let name: String?
        let port: Int?
    }

    private struct Queue {
        var running = 0
        /// Those that wait by their tickets; one that gave up is missing.
        var waiting: [Int: CurlTransfer] = [:]
        var nextServed = 0
        var nextTicket = 0
    }

    private let limit: Int
    private var queues: [Host: Queue] = [:]

    /// - Parameter limit: how many may go at a time to one host; 0 for any number.
    init(limit: Int) {
        self.limit = limit == 0 ? .max : limit
    }

    var isEmpty: Bool { queues.isEmpty }

    /// Everybody who waits.
    var waiting: [CurlTransfer] { queues.values.flatMap(\.waiting.values) }

    /// Whether the transfer may go now; otherwise it waits. It has a place in any case, which it leaves at its end.
    ///
    /// Over TLS one connection may carry many requests: there libcurl decides.
    mutating func enter(_ transfer: CurlTransfer) -> Bool {
        let origin = transfer.origin
        guard origin.scheme == "http" else { return true }
        let host = Host(name: origin.host, port: origin.port)
        return modify(host) { [limit] queue in
            guard queue.running >= limit else {
                queue.running += 1
                transfer.place = Place(host: host, ticket: nil)
                return true
            }
            transfer.place = Place(host: host, ticket: queue.nextTicket)
            queue.waiting[queue.nextTicket] = transfer
            queue.nextTicket += 1
            return false
        }
    }

    /// Gives the transfer's place up, and gives the one whose turn it is then.
    mutating func leave(_ transfer: CurlTransfer) -> CurlTransfer? {
        guard let place = transfer.place else { return nil }
        transfer.place = nil
        return modify(place.host) { queue in
            if let ticket = place.ticket {
                queue.waiting[ticket] = nil
                return nil
            }
            queue.running -= 1
            while queue.nextServed < queue.nextTicket {
                defer { queue.nextServed += 1 }
                guard let next = queue.waiting.removeValue(forKey: queue.nextServed) else { continue }
                queue.running += 1
                next.place = Place(host: place.host, ticket: nil)
                return next
            }
            return nil
        }
    }

    private mutating func modify<Result>(_ host: Host, _ change: (inout Queue) -> Result) -> Result {
        let result = change(&queues[host, default: Queue()])
        if let queue = queues[host], queue.running == 0, queue.waiting.isEmpty { queues[host] = nil }
        return result
    }
}
