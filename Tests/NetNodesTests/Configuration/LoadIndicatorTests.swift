import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("LoadIndicator", .countsResources)
struct LoadIndicatorTests {
    struct Failed: Error {}

    @Test("a stream counts from its subscription to its end, its error or its disposal")
    func counts() {
        let indicator = LoadIndicator()
        let source = PublishSubject<Int>()
        let counts = Lock([Int]())
        let watching = indicator.count.subscribe { event in
            if let element = event.element { counts.withLock { $0.append(element) } }
        }
        let tracked = source.trackActivity(indicator)
        let first = tracked.subscribe { _ in }
        let second = tracked.subscribe { _ in }
        first.dispose()
        first.dispose()
        source.onCompleted()
        second.dispose()
        #expect(Observable<Int>.error(Failed()).trackActivity(indicator).ended().error is Failed)
        #expect(counts.withLock { $0 } == [0, 1, 2, 1, 0, 1, 0])
        watching.dispose()
    }

    @Test("a chain tells on the main loop that it is loading")
    func chain() throws {
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
