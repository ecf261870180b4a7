import Streams
import StreamsTesting
import Testing

@Suite("groupBy", .onOneThread, .countsResources) struct GroupByTests {
    @Test func `Groups and windows keep their source running when the stream of them is over`() throws {
        let scheduler = TestScheduler()
        let source = try scheduler.hot("-1-3-4-5|", of: Int.self)
        let window = scheduler.observer(of: Int.self)
        let subscription = source.window(count: 3).take(1).flatMap { $0 }.subscribe(window)
        scheduler.start { source.groupBy { $0 % 2 }.take(1).flatMap { $0 } }.expect("-1-3---5|")
        window.expect("-1-3-(4|)")
        source.expectSubscriptions("^----!", "^-------!")
        subscription.dispose()
    }

    @Test func `A group buffers elements for late subscribers up to its limit`() throws {
        let scheduler = TestScheduler()
        let source = try scheduler.cold("1--2|", of: Int.self)
        scheduler.start { source.groupBy(bufferSize: 1) { _ in 0 }.delay(.seconds(2), scheduler: scheduler).flatMap { $0 } }
            .expect("--12--|")
    }

    @Test func `The groups of groupBy terminate in the order of creation, before the stream of groups does`() {
        let log = Output()
        Observable.from(Array(0..<20)).groupBy { $0 % 10 }.subscribe(
            onNext: { group in
                _ = group.subscribe(onCompleted: { log.print("\(group.key)") })
            }, onCompleted: { log.print("all") }
        ).dispose()
        #expect(log.lines == (0..<10).map { "\($0)" } + ["all"])
    }
}
