import Foundation
import NATSNodes
import StreamsTesting
import TestSupport
import Testing

/// Collects what a stream emits, and waits for it.
final class Recorder<Element: Sendable>: Sendable {
    private let events: ReplaySubject<Element> = ReplaySubject.createUnbounded()
    private let subscription = SerialDisposable()

    init(_ stream: Observable<Element>) {
        subscription.disposable = stream.subscribe { [events] event in events.on(event) }
    }

    deinit { subscription.dispose() }

    /// The first elements.
    func first(_ count: Int) throws -> [Element] {
        try events.take(count).ended().get()
    }

    /// Waits for the first element that satisfies a condition.
    @discardableResult
    func first(where condition: @escaping @Sendable (Element) -> Bool) throws -> Element {
        try #require(try events.filter(condition).take(1).ended().get().first)
    }

    /// The elements behind the first that satisfies a condition.
    func eventsBehind(_ condition: @escaping @Sendable (Element) -> Bool) -> Observable<Element> {
        events.skip(while: { !condition($0) }).skip(1)
    }

    /// All elements, until the stream completes.
    func all() throws -> [Element] {
        try events.ended().get()
    }

    /// The elements up to the first that equals `last`.
    func all(through last: Element) throws -> [Element] where Element: Equatable {
        try events.take(while: { $0 != last }, behavior: .inclusive).ended().get()
    }

    /// The error that ends the stream.
    func failure() -> NATSError? {
        events.ended().error as? NATSError
    }

    func dispose() { subscription.dispose() }
}

/// Under ThreadSanitizer, beside other tests, everything takes its time.
let patience = Duration.seconds(300)

extension NATSConnection {
    /// Waits until the server has received everything so far: also the subscriptions.
    func settle() throws {
        try flush().ended().get()
    }
}

/// A message that was skipped, as the events of a connection tell of it.
struct Skipped: Equatable, Sendable {
    let error: NATSError
    let count: Int
}

extension NATSConnection.Event {
    var skippedMessage: Skipped? {
        if case .skipped(let error, let count) = self { Skipped(error: error, count: count) } else { nil }
    }
}
