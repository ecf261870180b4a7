import StreamsTesting

/// Draws operators by running them under virtual time: a picture that cannot say anything else than what the operator does.
enum Gallery {
    /// One picture: the sources, and what is made of them. A tick is a second.
    struct Row: Sendable {
        let name: String
        let sources: [String]
        let make: @Sendable ([Observable<String>], TestScheduler) -> Observable<String>

        init(_ name: String, _ sources: String..., make: @escaping @Sendable ([Observable<String>], TestScheduler) -> Observable<String>) {
            self.name = name
            self.sources = sources
            self.make = make
        }
    }

    /// All pictures, as text.
    static func text() throws -> String {
        try rows.map(picture).joined(separator: "\n\n")
    }

    private static func picture(_ row: Row) throws -> String {
        let scheduler = TestScheduler()
        let sources = try row.sources.map { try scheduler.hot($0, of: String.self).asObservable() }
        let observer = scheduler.start(disposed: 40) { row.make(sources, scheduler) }
        var printer = MarblePrinter()
        let result = printer.draw(observer.events)
        return ([row.name] + row.sources.map { "   \($0)" } + ["=> \(result)"] + printer.legend.map { "      \($0)" })
            .joined(separator: "\n")
    }
}
