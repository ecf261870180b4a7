import StreamsTesting

extension Operator {
    /// To and from what is not a stream.
    static let bridging = operators {
        Operator(
            "firstElement()", "firstElement(where:)", "lastElement()", "array()", in: "Bridging/Awaiting",
            for: "I want to await an element",
            elsewhere: Names(rxSwift: "value", combine: "values.first", rxJava: "blockingFirst", flow: "first, last, toList")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and BridgingTests run it")
        }
        Operator(
            "fromAsync(priority:_:)", "from(_:)", in: "Bridging/FromAsync", for: "an async function is to be a stream",
            elsewhere: Names(rxSwift: "create { async }", combine: "Future", flow: "flow")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and BridgingTests run it")
        }
        Operator(
            "mapAsync(priority:_:)", "flatMapAsync(maxConcurrent:priority:_:)", in: "Bridging/MapAsync",
            for: "each element starts an async function",
            elsewhere: Names(flow: "map, flatMapMerge")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and BridgingTests run it")
        }
        Operator(
            "fromTaskGroup(priority:_:)", in: "Bridging/FromTaskGroup",
            for: "several async functions run at once, and their results are a stream",
            elsewhere: Names(flow: "channelFlow")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and ConcurrencyTests run it")
        }
        Operator(
            "values(overflow:)", "values", in: "Bridging/Values", for: "I want to write for await",
            elsewhere: Names(rxSwift: "values", combine: "values", flow: "collect")
        ) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and BridgingTests run it")
        }
        Operator("observe(_:)", in: "Bridging/Observation", for: "a model of Observation changes", elsewhere: Names(flow: "snapshotFlow")) {
            without(.law, .picture, .fuzz, because: "asynchronous, outside virtual time: AsyncLaws and BridgingTests run it")
        }
        Operator("asPublisher(overflow:)", in: "Bridging/Combine", for: "Combine is to listen") {
            without(.law, .picture, .fuzz, because: "Combine is not there on Linux: kept compiling by inspection")
        }
    }
}
