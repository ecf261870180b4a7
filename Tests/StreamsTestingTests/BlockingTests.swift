import StreamsTesting
import Testing

@Suite("Blocking", .countsResources)
struct BlockingTests {
    private let queue = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

    @Test func `Waits for all elements`() throws {
        #expect(try Observable.of(1, 2, 3).observe(on: queue).toBlocking(timeout: .seconds(300)).toArray() == [1, 2, 3])
        #expect(try Observable.of(1, 2, 3).toBlocking().last() == 3)
    }

    @Test func `The first element suffices, also of an endless stream`() throws {
        #expect(try Observable<Int>.interval(.milliseconds(1), scheduler: queue).toBlocking(timeout: .seconds(300)).first() == 0)
        #expect(try Observable.repeatElement(7).toBlocking().first() == 7)
        #expect(try Observable<Int>.empty().toBlocking().first() == nil)
    }

    @Test func `A single element is the only one`() throws {
        #expect(try Observable.just(1).toBlocking().single() == 1)
        #expect(throws: StreamError.noElements) { try Observable<Int>.empty().toBlocking().single() }
        #expect(throws: StreamError.moreThanOneElement) { try Observable.of(1, 2, 3).toBlocking().single() }
        let numbers = Observable.of(1, 2, 3).toBlocking()
        #expect(try numbers.single(where: { $0 == 2 }) == 2)
        #expect(throws: StreamError.noElements) { try numbers.single { $0 > 3 } }
        #expect(throws: StreamError.moreThanOneElement) { try numbers.single { $0 > 1 } }
        #expect(throws: TestError.failed) { try numbers.single { _ in throw TestError.failed } }
    }

    @Test func `The stream's error is thrown, and the elements before it are available`() {
        let stream = Observable.of(1, 2).concat(Observable.error(TestError.failed))
        #expect(throws: TestError.failed) { try stream.toBlocking().toArray() }
        let (elements, error) = stream.toBlocking().materialize()
        #expect(elements == [1, 2])
        #expect(error as? TestError == .failed)
    }

    @Test func `A silent stream times out`() {
        #expect(throws: StreamError.timeout(after: .milliseconds(5))) {
            try Observable<Int>.never().toBlocking(timeout: .milliseconds(5)).toArray()
        }
    }
}
