extension Row {
    /// Names without a row, and why.
    static let exemptions: [(reason: String, names: Set<String>)] = [
        (
            "runs on the threads of the runtime, which take turns as the machine likes",
            [
                "flatMapAsync(maxConcurrent:priority:_:)", "mapAsync(priority:_:)", "fromAsync(priority:_:)", "fromTaskGroup(priority:_:)",
                "create(priority:_:)", "values", "values(overflow:)", "PrimitiveSequence.fromAsync(_:)", "PrimitiveSequence.value",
                "InfallibleSequence.values", "InfallibleSequence.values(overflow:)", "Observer.value", "firstElement()",
                "firstElement(where:)", "lastElement()", "array()", "observe(_:)", "AsyncContext.init(queue:)",
            ]
        ),
        (
            "waits for the clock of the main loop",
            [
                "InfallibleSequence.debounce(_:)", "InfallibleSequence.throttle(_:latest:)", "InfallibleSequence.delay(_:)",
                "InfallibleSequence.interval(_:)", "InfallibleSequence.timer(_:period:)",
            ]
        ),
        ("hops onto the main loop", ["Observer.onMain()", "URLChain.deliverOnMain()"]),
        ("waits for a signal of the system, or for Combine", ["signals(_:)", "asPublisher(overflow:)"]),
        (
            "reads or writes a file, or a response that does not end",
            [
                "URLChain.download(to:)", "URLChain.upload(type:)", "URLChain.events(_:reconnection:)", "URLChain.events(reconnection:)",
                "URLChain.lines(_:)", "URLChain.pages(_:_:wanted:onFailure:)",
            ]
        ),
        (
            "is a part of each chain or a setting that no step of its own reads",
            [
                "URLChain.init(transport:)", "URLChain.route(_:)", "URLChain.description", "URLChain.decoder(_:)",
                "URLChain.customError(as:)",
                "URLChain.query(encoding:)", "URLChain.refreshingAccess(with:on:)",
            ]
        ),
    ]
}
