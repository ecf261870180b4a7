import StreamsTesting

let utilityChapter = chapter {
    FuzzOperator("%0.do(onNext: { note($0) }, onError: { note($0) }, onCompleted: { note() })") { parts in
        parts.up.do(
            onNext: { parts.note(.next($0)) }, onError: { parts.note(Signal(.error($0))) }, onCompleted: { parts.note(.completed) })
    } reference: { walk in
        try walk.subscribe()
        try walk.run { input in
            if let signal = input.signal { walk.note(signal) }
            walk.pass(input)
        }
    }
    FuzzOperator("%0.do(onNext: { if $0 % 5 == #0 { throw TestError(\"do\") } })", 0...4) { parts in
        parts.up.do(onNext: { if $0 % 5 == parts.number { throw TestError("do") } })
    } reference: { walk in
        try walk.each { if $0 % 5 == walk.numbers[0] { walk.error("do") } else { walk.next($0) } }
    }
    FuzzOperator("%0.serialize()") { parts in
        parts.up.serialize()
    } reference: { walk in
        try walk.each { walk.next($0) }
    }
}
