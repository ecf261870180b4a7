// What is no stream, and belongs to the tree: the modules of this package say what it is.
extension Inspector {
    /// What an object says of itself.
    package struct Facts: Sendable {
        /// Its state, in a few words.
        package var summary: String
        /// The lifetimes and objects that it receives from.
        package var upstreams: [any AnyObject & Sendable]

        package init(_ summary: String, upstreams: [any AnyObject & Sendable] = []) {
            (self.summary, self.upstreams) = (summary.excerpt(200), upstreams)
        }
    }

    /// Shows an object beside the streams for as long as it exists, as created by the line of the program that is running.
    ///
    /// - Parameter facts: returns what it says, or `nil` while it is not shown. Each snapshot calls it, on its thread.
    package static func show<Object: AnyObject & Sendable>(
        _ object: Object, as kind: StaticString, _ facts: @escaping @Sendable (Object) -> Facts?
    ) {
        #if STREAMS_INSPECTOR
            guard let streams = Inspection.ofNewObject else { return }
            let read = { @Sendable [weak object] in object.map { (ObjectIdentifier($0), facts($0)) } }
            streams.objects.add(InspectedObject(streams.makeID(), "\(kind)", CallStack.capture(), read: read))
        #endif
    }

    /// Shows what the running operator is about, such as a request.
    package static func describe(as summary: @autoclosure () -> String) {
        #if STREAMS_INSPECTOR
            Inspection.describe(as: summary())
        #endif
    }

    /// Whether anything is inspected: what is only recorded for that need not be prepared otherwise.
    package static var isOn: Bool {
        #if STREAMS_INSPECTOR
            Inspection.isOn
        #else
            false
        #endif
    }

    /// Shows that the running operator uses a connection that `show(_:as:_:)` shows.
    package static func use(_ connection: any AnyObject & Sendable, isConnected: @escaping @Sendable () -> Bool) {
        #if STREAMS_INSPECTOR
            if Inspection.isOn { Inspection.share(connection, isConnected: isConnected) }
        #endif
    }
}
