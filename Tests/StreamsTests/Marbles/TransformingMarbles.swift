import StreamsTesting
import Testing

@Suite("Transforming", .countsResources)
struct TransformingMarbles {
    let scheduler = TestScheduler()

    @Test("map transforms each element and ends with a throw")
    func map() throws {
        let source = try scheduler.hot("-1-2-3-|", of: Int.self)
        scheduler.start { source.map { $0 * 2 } }.expect("-2-4-6-|")
        source.expectSubscriptions("^------!")
        let other = try scheduler.cold("-1-0-3-|", of: Int.self)
        TestScheduler().start { Observable.of(1, 0, 3).map { try inverse($0) } }.expect("(1#)")
        let result = scheduler.start(subscribed: 1_000, disposed: 1_010) { other.map { try inverse($0) } }
        #expect(result.values == [1] && result.error as? TestError == .failed)
        #expect(other.subscriptions == [SubscriptionInterval(1_000, 1_003)])
    }

    @Test("mapTo sends one value for each element")
    func mapTo() throws {
        let source = try scheduler.hot("-1-2-#", of: Int.self)
        scheduler.start { source.mapTo("x") }.expect("-x-x-#")
    }

    @Test("compactMap and unwrap leave nil out")
    func compactMap() throws {
        let source = try scheduler.hot("-1-x-3-|", of: String.self)
        scheduler.start { source.compactMap { Int($0) } }.expect("-1---3-|")
        let optionals = try TestScheduler().cold("-a-b|", values: ["a": 1, "b": nil])
        #expect(optionals.events.count == 3)
        TestScheduler().start { Observable<Int?>.of(1, nil, 2).unwrap() }.expect("(12|)")
    }

    @Test("scan sends each result")
    func scan() throws {
        let source = try scheduler.hot("-1-2-3-|", of: Int.self)
        scheduler.start { source.scan(0) { $0 + $1 } }.expect("-1-3-6-|")
    }

    @Test("flatMap sends the elements of all inner streams, and completes with the last")
    func flatMap() throws {
        let source = try scheduler.hot("-a--b----|", of: String.self)
        let inner = try scheduler.cold("-1---2-|", of: Int.self)
        scheduler.start { source.flatMap { _ in inner } }.expect("--1--12--2-|")
        inner.expectSubscriptions("-^------!", "----^------!")
    }

    @Test("flatMap with a limit lets elements wait for their turn")
    func flatMapLimited() throws {
        let inner = try scheduler.cold("-x-|", of: String.self)
        let result = scheduler.start { Observable.of(1, 2, 3).flatMap(maxConcurrent: 2) { _ in inner } }
        result.expect([.next(1, "x"), .next(1, "x"), .next(4, "x"), .completed(6)])
        inner.expectSubscriptions("^--!", "^--!", "---^--!")
    }

    @Test("flatMap ends with the first inner error and lets all others go")
    func flatMapError() throws {
        let source = try scheduler.hot("-a-b---|", of: String.self)
        let failing = try scheduler.cold("---#", of: Int.self)
        let endless = try scheduler.cold("-1-2-3-4-5", of: Int.self)
        let streams = ["a": endless.asObservable(), "b": failing.asObservable()]
        scheduler.start { source.flatMap { streams[$0] ?? .empty() } }.expect("--1-2-(3#)")
        source.expectSubscriptions("^-----!")
        endless.expectSubscriptions("-^----!")
        failing.expectSubscriptions("---^--!")
    }

    @Test("flatMap that delays errors lets the others finish first")
    func flatMapDelayed() throws {
        let source = try scheduler.hot("-a-b-|", of: String.self)
        let failing = try scheduler.cold("-#", of: Int.self)
        let long = try scheduler.cold("-1-2-3-|", of: Int.self)
        let streams = ["a": failing.asObservable(), "b": long.asObservable()]
        scheduler.start { source.flatMap(delayErrors: true) { streams[$0] ?? .empty() } }.expect("----1-2-3-#")
    }

    @Test("concatMap subscribes to an inner stream when the one before has completed")
    func concatMap() throws {
        let source = try scheduler.hot("-a-b-|", of: String.self)
        let inner = try scheduler.cold("-1-2-|", of: Int.self)
        let selected = Lock<[Duration]>([])
        let result = scheduler.start {
            source.concatMap { [scheduler] _ in
                selected.withLock { $0.append(scheduler.now) }
                return inner
            }
        }
        result.expect("--1-2--1-2-|")
        inner.expectSubscriptions("-^----!", "------^----!")
        #expect(selected.withLock { $0 } == [.seconds(1), .seconds(6)])
    }

    @Test("flatMapLatest lets the stream before go")
    func flatMapLatest() throws {
        let source = try scheduler.hot("-a---b------|", of: String.self)
        let inner = try scheduler.cold("-1-2-3-|", of: Int.self)
        scheduler.start { source.flatMapLatest { _ in inner } }.expect("--1-2-1-2-3-|")
        inner.expectSubscriptions("-^---!", "-----^------!")
        source.expectSubscriptions("^-----------!")
    }

    @Test("flatMapFirst leaves out what comes while a stream runs")
    func flatMapFirst() throws {
        let source = try scheduler.hot("-a-b---c----|", of: String.self)
        let inner = try scheduler.cold("-1-2-|", of: Int.self)
        scheduler.start { source.flatMapFirst { _ in inner } }.expect("--1-2---1-2-|")
        inner.expectSubscriptions("-^----!", "-------^----!")
    }
}

private func inverse(_ number: Int) throws -> Int {
    guard number != 0 else { throw TestError.failed }
    return 1 / number
}
