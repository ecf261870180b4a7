import StreamsTesting
import Testing

@testable import Bytes

@Suite("Queues of bytes")
struct ByteQueueTests {
    @Test(arguments: 0..<8) func `Lines and runs come out as they went in, however the bytes are split and taken`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var queue = ByteQueue()
        var (sent, taken, unread) = ([UInt8](), [UInt8](), [UInt8]())
        for _ in 0..<2_000 {
            switch random.next() % 3 {
            case 0:
                let bytes = (0..<(random.next() % 200)).map { _ in UInt8(ascii: random.next() % 50 == 0 ? "\n" : "x") }
                queue.append(bytes)
                sent += bytes
                unread += bytes
            case 1:
                let line = queue.takeLine()
                #expect(line.map(Array.init) == unread.firstIndex(of: 0x0A).map { Array(unread[...$0]) })
                taken += line ?? []
            default: taken += queue.take(atMost: Int(random.next() % 300))
            }
            unread = Array(sent[taken.count...])
            #expect(queue.count == unread.count)
        }
        taken += queue.takeAll()
        #expect(taken == sent && queue.isEmpty)
    }

    @Test func `A long line that arrives in pieces is searched once`() {
        var queue = ByteQueue()
        // Searched anew for each piece, these would be two hundred billion bytes.
        for _ in 0..<200_000 {
            queue.append(Array("0123456789".utf8))
            #expect(queue.takeLine() == nil)
        }
        queue.append([0x0A])
        #expect(queue.takeLine()?.count == 2_000_001)
    }
}
