import StreamsTesting

extension Operator {
    /// Operators that convert from and to other types than streams.
    static let bridging = operators {
        Operator(
            "firstElement()", "firstElement(where:)", "lastElement()", "array()", in: "Bridging/Awaiting",
            for: "await an element",
            elsewhere: Names(
                rxSwift: "value", combine: "values.first(where:)", rxJava: "blockingFirst", rxJS: "firstValueFrom",
                flow: "first, last, toList")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and AwaitingTests run it")
        }
        Operator(
            "fromAsync(priority:_:)", "from(_:)", in: "Bridging/FromAsync", for: "turn an async function into a stream",
            elsewhere: Names(rxSwift: "create { async }", combine: "Future", flow: "flow")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and FromAsyncTests run it")
        }
        Operator(
            "create(priority:_:)", in: "Creation/CreateAsync", for: "write a source of one's own that waits for a slow consumer",
            elsewhere: Names(rxJava: "create (Flowable)", flow: "flow, channelFlow")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and CreateAsyncTests run it")
        }
        Operator(
            "mapAsync(priority:_:)", "flatMapAsync(maxConcurrent:priority:_:)", in: "Bridging/MapAsync",
            for: "call an async function for each element",
            elsewhere: Names(flow: "map, flatMapMerge")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and MapAsyncTests run it")
        }
        Operator(
            "fromTaskGroup(priority:_:)", in: "Bridging/FromTaskGroup",
            for: "turn a task group into a stream",
            elsewhere: Names(flow: "channelFlow")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and FromTaskGroupTests run it")
        }
        Operator(
            "values(overflow:)", "values", in: "Bridging/Values", for: "iterate over a stream with for await",
            elsewhere: Names(rxSwift: "values", combine: "values", flow: "collect, conflate")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and ValuesTests run it")
            measured(in: "values in a for await on another thread, one element")
        }
        Operator(
            "observe(_:)", in: "Bridging/Observation", for: "observe a property of an @Observable model",
            elsewhere: Names(flow: "snapshotFlow (Compose)")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and ObservationTests run it")
        }
        Operator("asPublisher(overflow:)", in: "Bridging/Combine", for: "use a stream as a publisher of Combine") {
            without(.law, .picture, .fuzz, because: "Combine is not there on Linux: kept compiling by inspection")
        }
    }
}
