/// Events queued until libcurl has returned, because observers may call back. Confined to the engine's thread.
struct DeliveryQueue {
    private struct Delivery {
        let transfer: CurlTransfer
        let event: Result<TransferEvent, TransportError>
    }

    private var queued: [Delivery] = []
    /// The batch being delivered; the two arrays are swapped, so that neither is reallocated.
    private var delivering: [Delivery] = []

    var isEmpty: Bool { queued.isEmpty }

    mutating func add(_ event: Result<TransferEvent, TransportError>, for transfer: CurlTransfer) {
        queued.append(Delivery(transfer: transfer, event: event))
    }

    /// Delivers the queued events in order.
    mutating func deliver() {
        swap(&queued, &delivering)
        for index in delivering.indices { delivering[index].transfer.deliver(delivering[index].event) }
        delivering.removeAll(keepingCapacity: true)
    }
}
