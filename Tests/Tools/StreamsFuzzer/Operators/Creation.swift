import StreamsTesting

let creationChapter = chapter {
    FuzzOperator("Observable<Int>.empty()") { _ in
        .empty()
    } reference: { walk in
        walk.completed()
    }
    FuzzOperator("Observable<Int>.never()") { _ in
        .never()
    } reference: { _ in
    }
    FuzzOperator("Observable<Int>.error(TestError(\"error\"))") { _ in
        .error(TestError("error"))
    } reference: { walk in
        walk.error("error")
    }
    FuzzOperator("Observable.range(start: #0, count: #1)", 0...9, 0...3) { parts in
        .range(start: parts.number, count: parts.numbers[1])
    } reference: { walk in
        for offset in 0..<walk.numbers[1] { walk.next(walk.numbers[0] + offset) }
        walk.completed()
    }
    FuzzOperator("Observable.from([^, #0])", 0...9) { parts in
        .from([parts.element, parts.number])
    } reference: { walk in
        walk.next(walk.element)
        walk.next(walk.numbers[0])
        walk.completed()
    }
    FuzzOperator("Observable<Int>.timer(.seconds(#0), scheduler: scheduler)", 0...9) { parts in
        .timer(parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        walk.timer(0, after: walk.numbers[0])
        try walk.run { _ in
            walk.next(0)
            walk.completed()
        }
    }
    FuzzOperator("Observable<Int>.timer(.seconds(#0), period: .seconds(#1), scheduler: scheduler)", 0...9, 1...9) { parts in
        .timer(parts.time, period: .seconds(parts.numbers[1]), scheduler: parts.scheduler)
    } reference: { walk in
        var count = 0
        walk.timer(0, after: walk.numbers[0])
        try walk.run { _ in
            walk.next(count)
            count += 1
            walk.timer(0, after: walk.numbers[1])
        }
    }
    FuzzOperator("Observable<Int>.interval(.seconds(#0), scheduler: scheduler)", 1...9) { parts in
        .interval(parts.time, scheduler: parts.scheduler)
    } reference: { walk in
        var count = 0
        walk.timer(0, after: walk.numbers[0])
        try walk.run { _ in
            walk.next(count)
            count += 1
            walk.timer(0, after: walk.numbers[0])
        }
    }
    FuzzOperator(
        """
        Observable.intervalRange(
            start: #0, count: #1, initialDelay: .seconds(#2), period: .seconds(#3), scheduler: scheduler)
        """, 0...9, 0...3, 0...9, 1...9
    ) { parts in
        .intervalRange(
            start: parts.number, count: parts.numbers[1], initialDelay: .seconds(parts.numbers[2]), period: .seconds(parts.numbers[3]),
            scheduler: parts.scheduler)
    } reference: { walk in
        guard walk.numbers[1] > 0 else { return walk.completed() }
        var count = 0
        walk.timer(0, after: walk.numbers[2])
        try walk.run { _ in
            walk.next(walk.numbers[0] + count)
            count += 1
            if count == walk.numbers[1] { walk.completed() }
            walk.timer(0, after: walk.numbers[3])
        }
    }
    FuzzOperator("Observable.generate(initialState: #0, condition: { $0 < 20 }, iterate: { $0 * 2 + 1 })", 5...30) { parts in
        .generate(initialState: parts.number, condition: { $0 < 20 }, iterate: { $0 * 2 + 1 })
    } reference: { walk in
        var element = walk.numbers[0]
        while element < 20 {
            walk.next(element)
            element = element * 2 + 1
        }
        walk.completed()
    }
    FuzzOperator(
        """
        Observable.deferred {
            if scheduler.now < .seconds(#0) { throw TestError("early") }
            return Observable.just(#1)
        }
        """, 0...20, 0...9
    ) { parts in
        .deferred {
            if parts.scheduler.now < parts.time { throw TestError("early") }
            return .just(parts.numbers[1])
        }
    } reference: { walk in
        if walk.now < walk.numbers[0] { return walk.error("early") }
        walk.next(walk.numbers[1])
        walk.completed()
    }
    FuzzOperator("Observable.just(#0, scheduler: scheduler)", 0...9) { parts in
        .just(parts.number, scheduler: parts.scheduler)
    } reference: { walk in
        walk.timer(0, after: 0)
        try walk.run { _ in
            walk.next(walk.numbers[0])
            walk.completed()
        }
    }
    FuzzOperator("Observable.repeatElement(#0, scheduler: scheduler).take(#1)", 0...9, 1...3) { parts in
        .repeatElement(parts.number, scheduler: parts.scheduler).take(parts.numbers[1])
    } reference: { walk in
        var left = walk.numbers[1]
        walk.timer(0, after: 0)
        try walk.run { _ in
            walk.next(walk.numbers[0])
            left -= 1
            if left == 0 { walk.completed() }
            walk.timer(0, after: 0)
        }
    }
}
