import Dispatch
import Foundation
import NodeKit
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// A chain that delivers on the main loop answers there, also to listeners that come late, on another thread.
@Suite("Delivery of chains", .onOneThread, .countsResources, .blocksThread)
struct DeliveryTests {
    @Test func `A listener that is registered after the outcome, on another thread, is called on the main loop`() {
        let base = URLChain(transport: StubTransport { .text("[1]", to: $0) }).route(.get, "https://example.com/teas").deliverOnMain()
        let nodes: [any Node<Void, Void>] = [
            base.void, base.void.bulkhead(Bulkhead(maxConcurrent: 1, queueCapacity: 1)), VoidOutputNode(next: base.output([Int].self)),
        ]
        for node in nodes {
            let context = node.process()
            let isReady = Slot<Bool>()
            let subscription = context.outcomes.subscribe(onNext: { outcome in isReady.fill(outcome.data != nil) })
            #expect(isReady.wait() == true)
            subscription.dispose()
            let isOnMain = Slot<Bool>()
            DispatchQueue.global().async {
                context.onCompleted { isOnMain.fill(MainScheduler.isOnMainLoop) }
            }
            #expect(isOnMain.wait() == true)
        }
    }

    @Test func `An events chain of values delivers on the main loop too`() {
        let chain = URLChain(transport: StubTransport { .text("", to: $0) }).route(.get, "https://example.com/teas").deliverOnMain()
        #expect(chain.events(Int.self).delivery is MainScheduler)
        #expect(chain.pages([Int].self, .offset(size: 2)).delivery is MainScheduler)
        #expect(chain.data.delivery is MainScheduler)
    }
}
