import Streams

/// The figures of one use of a name of the library.
struct Row {
    /// The kind of operation that is counted.
    enum Figure {
        /// One element that passes an operator.
        case element
        /// To build a stream, to subscribe to it, and to dispose the subscription.
        case subscription
        /// To build a stream and to subscribe to it, until it has terminated.
        case completion
        /// One call, or the whole of a stream with one element.
        case use
    }

    /// The names that it covers, as the catalogue or Docs/API have them.
    let names: [String]
    /// Its name in the file: the code, or the name and what is special.
    let title: String
    /// Makes the work of each figure; nil where there is none.
    let figures: [(figure: Figure, prepare: () -> Work?)]
}

/// Work that is done to fill the caches of the runtime and of the allocator, and then counted.
struct Work {
    /// Twice to fill the caches, and then counted.
    static let runs = 3

    /// How many operations it does at once.
    let count: Int
    let run: () -> Void
}

/// Lists rows one after the other, each type-checked by itself.
@resultBuilder
enum RowBuilder {
    static func buildBlock(_ rows: Row...) -> [Row] { rows }
}

/// A row of one call: `prepare` makes what it is called on.
func use(
    _ names: String..., of title: String = "", times count: Int = 20, _ prepare: @escaping () -> () -> Void
) -> Row {
    let figure = {
        let body = prepare()
        return Work(count: count) { for _ in 0..<count { body() } } as Work?
    }
    return Row(names: names, title: title.isEmpty ? names[0] : "\(names[0]) of \(title)", figures: [(.use, figure)])
}

/// A row of a source that emits as many elements as it is asked for.
func source(_ names: String..., as title: String = "", emits make: @escaping @Sendable (_ count: Int) -> Observable<Int>) -> Row {
    let element = { Work(count: 1_000) { make(1_000).run() } as Work? }
    let completion = { Work(count: 20) { for _ in 0..<20 { make(1).run() } } as Work? }
    return Row(
        names: names, title: title.isEmpty ? "\(names[0]) of many" : title, figures: [(.element, element), (.completion, completion)])
}

/// A row of an operator of streams that cannot fail.
@inline(__always)
func infallible<Result>(
    _ names: String..., of title: String = "", _ make: @escaping @Sendable (Infallible<Int>) -> Infallible<Result>
) -> Row {
    let element = {
        let relay = PublishRelay<Int>()
        make(relay.asInfallible()).run()
        return Work(count: 60) { for number in 0..<60 { relay.accept(number) } } as Work?
    }
    let subscription = {
        let source = PublishRelay<Int>().asInfallible()
        return Work(count: 20) { for _ in 0..<20 { make(source).run().dispose() } } as Work?
    }
    let names = names.map { "InfallibleSequence." + $0 }
    return Row(
        names: names, title: title.isEmpty ? names[0] : "\(names[0]) of \(title)",
        figures: [(.element, element), (.subscription, subscription)])
}
