import Testing

@testable import Streams

@Suite("Queues with tickets") struct TicketQueueTests {
    @Test func `Elements leave in the order of their arrival, without those that were removed by their ticket`() {
        var queue = TicketQueue<String>()
        let tickets = ["a", "b", "c", "d"].map { queue.append($0) }
        #expect(queue.remove(ticket: tickets[0]) == "a")
        #expect(queue.remove(ticket: tickets[2]) == "c")
        #expect(queue.remove(ticket: tickets[2]) == nil)
        #expect(queue.count == 2)
        #expect(queue.popFirst() == "b")
        #expect(queue.remove(ticket: tickets[1]) == nil)
        #expect(Array(queue.elements) == ["d"])
        #expect(queue.popFirst() == "d")
        #expect(queue.popFirst() == nil)
        #expect(queue.isEmpty)
    }

    @Test func `A queue that was empty goes on`() {
        var queue = TicketQueue<Int>()
        for number in 0..<1000 {
            let ticket = queue.append(number)
            if number.isMultiple(of: 3) { #expect(queue.remove(ticket: ticket) == number) } else { #expect(queue.popFirst() == number) }
        }
        #expect(queue.isEmpty)
    }
}
