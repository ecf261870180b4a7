import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("LoadIndicator", .onOneThread, .countsResources, .blocksThread)
struct LoadIndicatorTests {
    @Test func `A chain reports on the main loop that it is loading`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let indicator = LoadIndicator()
        let states = Slot<[Bool]>()
        let begun = Slot<Bool>()
        let watching = indicator.isLoading.asObservable().do(onNext: { _ in begun.fill(true) }).take(3).toArray()
            .subscribe(onNext: { states.fill($0) })
        #expect(begun.wait() == true)
        let idle = Slot<Bool>()
        let stream = URLChain(transport: CurlTransport()).route(.get, server.url()).trackActivity(indicator).data.stream()
        let subscription = stream.subscribe(onDisposed: { idle.fill(true) })
        #expect(idle.wait() == true)
        #expect(indicator.count.filter { $0 == 0 }.take(1).ended().error == nil)
        #expect(states.wait() == [false, true, false])
        subscription.dispose()
        watching.dispose()
    }
}
