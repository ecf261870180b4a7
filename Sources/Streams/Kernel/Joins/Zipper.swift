import Schedulers

/// What one of the zipped streams has sent and the others have not met yet.
final class ZipSlot<Element: Sendable>: PendingElements, @unchecked Sendable {
    /// Law 2: used only inside the zipper's gate, like what follows.
    @exclusivity(unchecked) private var queue = ElementQueue<Element>()
    @exclusivity(unchecked) var isDone = false

    init() {}

    var isEmpty: Bool { queue.isEmpty }

    func append(_ element: Element) {
        queue.append(element)
    }

    /// The element that has waited longest; asked for only when every slot has one.
    func take() -> Element {
        guard let element = queue.popFirst() else { preconditionFailure("a zipped stream has no element that waits") }
        return element
    }
}

/// A slot of whatever element.
protocol PendingElements: AnyObject, Sendable {
    var isEmpty: Bool { get }
    var isDone: Bool { get }
}

/// Hears all streams of a `zip`, one event at a time.
final class Zipper<Result: Sendable>: @unchecked Sendable {
    private let gate = SharedSerializer()
    private let downstream: AnyObserver<Result>
    private let lifetime: Lifetime
    private let slots: [any PendingElements]
    private let delayErrors: Bool
    private let result: @Sendable () throws -> Result
    /// Law 2: used only inside the gate.
    @exclusivity(unchecked) private var firstError: (any Error)?
    private let mark = Resources.Mark("Zip")

    init(
        _ downstream: AnyObserver<Result>, _ lifetime: Lifetime, _ slots: [any PendingElements], delayErrors: Bool,
        _ result: @escaping @Sendable () throws -> Result
    ) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.slots = slots
        self.delayErrors = delayErrors
        self.result = result
    }

    func start<Source: ObservableType>(_ source: Source, _ slot: ZipSlot<Source.Element>) {
        gate.start(source.asObservable(), in: lifetime.child()) { [self] event in
            guard !lifetime.isDisposed else { return }
            take(event, slot)
        }
    }

    private func take<Element>(_ event: Event<Element>, _ slot: ZipSlot<Element>) {
        switch event {
        case .next(let element):
            slot.append(element)
            guard slots.allSatisfy({ !$0.isEmpty }) else { return }
            do { downstream.onNext(try result()) } catch { return downstream.onError(error) }
            guard !lifetime.isDisposed else { return }
        case .error(let error):
            guard delayErrors else { return downstream.onError(error) }
            firstError = firstError ?? error
            slot.isDone = true
        case .completed: slot.isDone = true
        }
        guard slots.contains(where: { $0.isDone && $0.isEmpty }) else { return }
        downstream.on(firstError.map { .error($0) } ?? .completed)
    }
}
