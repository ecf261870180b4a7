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
}
