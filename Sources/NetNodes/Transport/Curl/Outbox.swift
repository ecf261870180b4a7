/// Events that wait until libcurl has returned: whoever hears them may do anything. Confined to the engine's thread.
struct Outbox {
    private struct Delivery {
        let transfer: CurlTransfer
        let event: Result<TransferEvent, TransportError>
    }

    private var waiting: [Delivery] = []
    /// What is being delivered; the two change places, so that neither has to be made anew.
    private var departing: [Delivery] = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ event: Result<TransferEvent, TransportError>, for transfer: CurlTransfer) {
        waiting.append(Delivery(transfer: transfer, event: event))
    }

    /// Delivers what waits now, in its order.
    mutating func deliver() {
        swap(&waiting, &departing)
        for index in departing.indices { departing[index].transfer.deliver(departing[index].event) }
        departing.removeAll(keepingCapacity: true)
    }
}
