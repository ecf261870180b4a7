import Streams
import StreamsTesting
import Testing

@Suite("multicast", .onOneThread, .countsResources) struct MulticastTests {
    @Test func `multicast creates a subject for each connection that is made by hand`() {
        let made = Lock(0)
        let source = PublishSubject<Int>()
        let shared = source.multicast {
            made.withLock { $0 += 1 }
            return PublishSubject<Int>()
        }
        for connections in 1...3 {
            let connection = shared.connect()
            #expect(made.withLock { $0 } == connections)
            connection.dispose()
        }
    }

    @Test func `multicast creates a subject for each connection`() {
        let made = Lock(0)
        let shared = Observable.of(1, 2).multicast {
            made.withLock { $0 += 1 }
            return BehaviorSubject(value: 0)
        }
        .refCount()
        #expect(made.withLock { $0 } == 0)
        for _ in 1...2 {
            let observer = TestObserver<Int>()
            shared.subscribe(observer).dispose()
            #expect(observer.values == [0, 1, 2])
        }
        #expect(made.withLock { $0 } == 2)
    }

    @Test func `A custom subject stays terminated after reconnecting`() {
        let subject = PublishSubject<Int>()
        let shared = Observable.of(1, 2).multicast(subject)
        _ = shared.connect()
        _ = shared.connect()
        let observer = TestObserver<Int>()
        shared.subscribe(observer).dispose()
        #expect(observer.events.map(\.event.isStopEvent) == [true])
    }
}
