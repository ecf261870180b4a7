import Foundation
import Streams

/// Events queued until libcurl has returned, because observers may call back. Confined to the engine's thread.
struct DeliveryQueue {
    private struct Delivery {
        let transfer: CurlTransfer
        var event: TransferOutlet.Event
    }

    /// The length of libcurl's pieces of a long body; a chunk should consist of several pieces.
    private static let wholePiece = 16 * 1024
    /// The length of a chunk, in bytes; it is shorter if no more was received. For its observers, an event costs as much as copying many bytes.
    /// The buffer of a slow consumer is bounded by a number of chunks.
    private static let longestChunk = 64 * 1024

    private var queued: [Delivery] = []
    /// The batch that is being delivered; the two arrays are swapped, so that neither is reallocated.
    private var delivering: [Delivery] = []

    var isEmpty: Bool { queued.isEmpty }

    mutating func add(_ event: TransferOutlet.Event, for transfer: CurlTransfer) {
        queued.append(Delivery(transfer: transfer, event: event))
    }

    /// Adds a piece of a body. It is appended to the last queued chunk if that belongs to the same transfer and does not become too long.
    mutating func add(_ bytes: UnsafeRawBufferPointer, for transfer: CurlTransfer) {
        guard let last = queued.indices.last, queued[last].transfer === transfer, case .success(.chunk(var chunk)) = queued[last].event,
            chunk.count + bytes.count <= Self.longestChunk
        else {
            var chunk = Data(capacity: bytes.count < Self.wholePiece ? bytes.count : Self.longestChunk)
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
