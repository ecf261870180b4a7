import Streams

extension Row {
    /// The sources of many elements, whose pipelines in the catalogue have few.
    @RowBuilder static var sources: [Row] {
        source("range(start:count:)") { .range(start: 0, count: $0) }
        source("range(start:count:scheduler:)") { .range(start: 0, count: $0, scheduler: ImmediateScheduler.instance) }
        source("from(_:)") { .from(0..<$0) }
        source("from(_:scheduler:)") { .from(0..<$0, scheduler: ImmediateScheduler.instance) }
        source("create(overflow:_:)") { count in
            .create { observer in
                for number in 0..<count { observer.onNext(number) }
                observer.onCompleted()
                return Disposables.create()
            }
        }
        source("generate(initialState:condition:iterate:)") { count in
            .generate(initialState: 0, condition: { $0 < count }, iterate: { $0 + 1 })
        }
        source("generate(initialState:condition:scheduler:iterate:)") { count in
            .generate(initialState: 0, condition: { $0 < count }, scheduler: ImmediateScheduler.instance, iterate: { $0 + 1 })
        }
        source("repeatElement(_:scheduler:)") { Observable.repeatElement(1).take($0) }
        use("connect()") {
            let source = PublishSubject<Int>().publish()
            return { source.connect().dispose() }
        }
    }
}
