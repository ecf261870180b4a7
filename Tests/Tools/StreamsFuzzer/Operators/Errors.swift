import StreamsTesting

let errorChapter = chapter {
    FuzzOperator("%0.catchAndReturn(#0)", 0...9) { parts in
        parts.up.catchAndReturn(parts.number)
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if case .error = input { walk.next(walk.numbers[0]) }
            if case .next = input { walk.pass(input) } else { walk.completed() }
        }
    }
    FuzzOperator("%0.catch { _ in %1 }") { parts in
        parts.up.catch { [other = parts.other] _ in other }
    } reference: { walk in
        try walk.subscribe(0)
        try walk.run { input in
            if case .error(_, from: 0) = input { try walk.subscribe(1) } else { walk.pass(input) }
        }
    }
    FuzzOperator("%0.retry(#0)", 0...3) { parts in
        parts.up.retry(parts.number)
    } reference: { walk in
        var left = walk.numbers[0]
        try walk.subscribe()
        try walk.run { input in
            guard case .error = input, left > 1 else { return walk.pass(input) }
            left -= 1
            try walk.subscribe()
        }
    }
    FuzzOperator("%0.repeat(count: #0)", 0...3) { parts in
        parts.up.repeat(count: parts.number)
    } reference: { walk in
        var left = walk.numbers[0]
        guard left > 0 else { return walk.completed() }
        try walk.subscribe()
        try walk.run { input in
            guard case .completed = input, left > 1 else { return walk.pass(input) }
            left -= 1
            try walk.subscribe()
        }
    }
    FuzzOperator("%0.catchAndComplete()") { parts in
        parts.up.catchAndComplete()
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if case .error = input { walk.completed() } else { walk.pass(input) }
        }
    }
    FuzzOperator("%0.catch { _ in throw TestError(\"handler\") }") { parts in
        parts.up.catch { _ in throw TestError("handler") }
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if case .error = input { walk.error("handler") } else { walk.pass(input) }
        }
    }
    FuzzOperator("%0.mapError { _ in TestError(\"mapped\") }") { parts in
        parts.up.mapError { _ in TestError("mapped") }
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if case .error = input { walk.error("mapped") } else { walk.pass(input) }
        }
    }
    FuzzOperator("Observable.catch(sequence: [%0, %1, %2])") { parts in
        .catch(sequence: parts.upstreams)
    } reference: { walk in
        try walk.subscribe(0)
        try walk.run { input in
            if case .error(_, let place) = input, place < 2 { try walk.subscribe(place + 1) } else { walk.pass(input) }
        }
    }
    FuzzOperator("%0.convertToResult().map { (try? $0.get()) ?? -1 }") { parts in
        parts.up.convertToResult().map { (try? $0.get()) ?? -1 }.asObservable()
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if case .error = input { walk.next(-1) }
            if case .next = input { walk.pass(input) } else { walk.completed() }
        }
    }
    FuzzOperator("%0.retry(.linear(step: .seconds(#0), maxAttempts: #1), scheduler: scheduler)", 0...4, 0...3) { parts in
        parts.up.retry(.linear(step: parts.time, maxAttempts: parts.numbers[1]), scheduler: parts.scheduler)
    } reference: { walk in
        var failures = 0
        try walk.subscribe()
        try walk.run { input in
            switch input {
            case .error where failures + 1 < walk.numbers[1]:
                failures += 1
                if walk.numbers[0] == 0 { try walk.subscribe() } else { walk.timer(1, after: walk.numbers[0] * failures) }
            case .timer: try walk.subscribe()
            default: walk.pass(input)
            }
        }
    }
    FuzzOperator(
        """
        %0.retry(when: { errors in
            errors.enumerated().map { if $0.index >= #0 { throw $0.element } }
        })
        """, 0...3
    ) { parts in
        parts.up.retry(when: { errors in
            errors.enumerated().map { if $0.index >= parts.number { throw $0.element } }
        })
    } reference: { walk in
        var left = walk.numbers[0]
        try walk.subscribe()
        try walk.run { input in
            guard case .error = input, left > 0 else { return walk.pass(input) }
            left -= 1
            try walk.subscribe()
        }
    }
    FuzzOperator(
        """
        %0.retry(when: { errors in
            errors.enumerated().flatMap { index, error in
                index < #0 ? Observable<Int>.timer(.seconds(#1), scheduler: scheduler) : Observable.error(error)
            }
        })
        """, 0...3, 0...4
    ) { parts in
        parts.up.retry(when: { errors in
            errors.enumerated().flatMap { index, error in
                index < parts.number
                    ? Observable<Int>.timer(.seconds(parts.numbers[1]), scheduler: parts.scheduler) : Observable.error(error)
            }
        })
    } reference: { walk in
        var left = walk.numbers[0]
        try walk.subscribe()
        try walk.run { input in
            switch input {
            case .error where left > 0:
                left -= 1
                walk.timer(1, after: walk.numbers[1])
            case .timer: try walk.subscribe()
            default: walk.pass(input)
            }
        }
    }
}
