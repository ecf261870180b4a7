import Dispatch
import NodeKit
import StreamsTesting
import TestSupport
import Testing

@Suite("ChainConfiguratorNode")
struct ChainConfiguratorNodeTests {
    @Test func `A context of a chain calls late listeners where the chain delivers, whatever is around it`() throws {
        let delivering = DispatchQueue(label: "delivering")
        let configured = ChainConfiguratorNode(
            startOn: DispatchQueue(label: "starting"), deliverOn: delivering, next: AnyNode<Int, Int> { .just($0) })
        let chains: [any Node<Int, Int>] = [
            configured, LoggerNode(sink: { _ in }, next: configured), configured.bulkhead(Bulkhead(maxConcurrent: 1, queueCapacity: 1)),
        ]
        for chain in chains {
            let context = chain.process(7)
            #expect(try context.outcomes.take(1).ended().get().first?.data == 7)
            let called = DispatchSemaphore(value: 0)
            context.onCompleted { _ in
                dispatchPrecondition(condition: .onQueue(delivering))
                called.signal()
            }
            #expect(called.wait(timeout: .now() + 300) == .success)
        }
    }

    @Test func `A chain configured with queues starts and delivers on them`() throws {
        let (starting, delivering) = (DispatchQueue(label: "starting"), DispatchQueue(label: "delivering"))
        let node = ChainConfiguratorNode(
            startOn: starting, deliverOn: delivering,
            next: AnyNode<Int, Int> { number in
                dispatchPrecondition(condition: .onQueue(starting))
                return .just(number)
            })
        let delivered = node.stream(7).do(onNext: { _ in dispatchPrecondition(condition: .onQueue(delivering)) })
        #expect(try delivered.take(1).ended().get().first == 7)
    }
}
