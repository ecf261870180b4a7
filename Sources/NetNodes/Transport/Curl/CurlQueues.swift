import Foundation
import Streams

/// Limits the number of running transfers per host. Further transfers wait here in order, and not in libcurl, where each would hold a
/// handle and a buffer. It is confined to the engine's thread.
struct HostQueues {
    /// A place in a queue.
    struct Place {
        fileprivate let queue: Queue
        fileprivate let ticket: Int?
    }

    fileprivate struct Host: Hashable {
        let name: String?
        let port: Int?
    }

    fileprivate final class Queue {
        var running = 0
        var waiting = TicketQueue<CurlTransfer>()

        var isIdle: Bool { running == 0 && waiting.isEmpty }
    }

    /// The number of idle queues that are kept, so that consecutive requests to one host find its queue.
    private static let idleQueueLimit = 64

    private let limit: Int
    private var queues: [Host: Queue] = [:]

    /// - Parameter limit: the maximum number of running transfers per host; 0 means any number.
    init(limit: Int) {
        self.limit = limit == 0 ? .max : limit
    }

    var isEmpty: Bool { queues.values.allSatisfy(\.isIdle) }

    /// All waiting transfers.
    var waiting: [CurlTransfer] { queues.values.flatMap(\.waiting.elements) }

    /// Returns whether the transfer may start now; otherwise it waits. In both cases it gets a place, which it must leave at the end.
    ///
    /// Over TLS, one connection may carry many requests, so libcurl decides.
    mutating func enter(_ transfer: CurlTransfer) -> Bool {
        let origin = transfer.origin
        guard origin.scheme == "http" else { return true }
        let queue = queue(of: Host(name: origin.host, port: origin.port))
        guard queue.running >= limit else {
            queue.running += 1
            transfer.place = Place(queue: queue, ticket: nil)
            return true
        }
        transfer.place = Place(queue: queue, ticket: queue.waiting.append(transfer))
        return false
    }

    /// Releases the transfer's place, and returns the next transfer to start.
    func leave(_ transfer: CurlTransfer) -> CurlTransfer? {
        guard let place = transfer.place else { return nil }
        transfer.place = nil
        let queue = place.queue
        if let ticket = place.ticket {
            _ = queue.waiting.remove(ticket: ticket)
            return nil
        }
        guard let next = queue.waiting.popFirst() else {
            queue.running -= 1
            return nil
        }
        next.place = Place(queue: queue, ticket: nil)
        return next
    }

    private mutating func queue(of host: Host) -> Queue {
        if let queue = queues[host] { return queue }
        if queues.count >= Self.idleQueueLimit { queues = queues.filter { !$0.value.isIdle } }
        let queue = Queue()
        queues[host] = queue
        return queue
    }
}

/// Events queued until libcurl has returned, because observers may call back. Confined to the engine's thread.
struct DeliveryQueue {
    private struct Delivery {
        let transfer: CurlTransfer
        var event: TransferOutlet.Event
    }

    /// The length of libcurl's pieces of a long body; a chunk should consist of several pieces.
    private static let wholePiece = 16 * 1024

    private var queued: [Delivery] = []
    /// The batch that is being delivered; the two arrays are swapped, so that neither is reallocated.
    private var delivering: [Delivery] = []

    var isEmpty: Bool { queued.isEmpty }

    mutating func add(_ event: TransferOutlet.Event, for transfer: CurlTransfer) {
        queued.append(Delivery(transfer: transfer, event: event))
    }

    /// Adds a piece of a body. It is appended to the last queued chunk if that belongs to the same transfer and does not become too long:
    /// for its observers, an event costs as much as copying many bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer, for transfer: CurlTransfer) {
        let limit = transfer.request.longestChunk
        guard let last = queued.indices.last, queued[last].transfer === transfer, case .success(.chunk(var chunk)) = queued[last].event,
            chunk.count + bytes.count <= limit
        else {
            var chunk = Data(capacity: bytes.count < Self.wholePiece ? bytes.count : limit)
            chunk.append(contentsOf: bytes)
            return add(.success(.chunk(chunk)), for: transfer)
        }
        // Without another reference, the bytes are appended in place.
        queued[last].event = .success(.sent)
        chunk.append(contentsOf: bytes)
        queued[last].event = .success(.chunk(chunk))
    }

    /// Delivers the queued events in order.
    mutating func deliver() {
        swap(&queued, &delivering)
        for index in delivering.indices { delivering[index].transfer.deliver(delivering[index].event) }
        delivering.removeAll(keepingCapacity: true)
    }
}
