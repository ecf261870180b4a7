import Foundation
import StreamsTesting
import Testing

/// Elements travel in the memory of their sender, and each receiver takes or forwards them; one that does neither releases them.
@Suite("Elements in the memory of their sender", .countsResources)
struct EventReferenceTests {
    @Test func `Whatever an element's size and kind of memory, it arrives as it was sent`() {
        struct Large: Hashable, Sendable { var numbers: SIMD64<UInt8> = .init(repeating: 7), texts = ["a", "b"], last = 1.5 }
        enum Choice: Hashable, Sendable { case none, small(UInt8), text(String), list([Int?]) }
        expectArrival(of: [1, 2, 2, 3])
        expectArrival(of: [0.5 as Float, -.zero, .infinity])
        expectArrival(of: [UInt8.max, 0])
        expectArrival(of: [true, false, true])
        expectArrival(of: ["", "short", String(repeating: "long", count: 100)])
        expectArrival(of: [[1], [], Array(0..<1_000)])
        expectArrival(of: [Large(), Large(last: 2)])
        expectArrival(of: [Choice.none, .small(1), .text("x"), .list([nil, 1])])
        expectArrival(of: [Int?.none, 1, nil])
        expectArrival(of: [String??.none, .some(nil), "x"])
        expectArrival(of: [[String: [Int]]?.none, ["a": [1]], [:]])
        expectArrival(of: [Data(), Data(repeating: 1, count: 100)])
        expectArrival(of: [URL(filePath: "/a"), URL(filePath: "/b")])
        expectArrival(of: [Date(timeIntervalSince1970: 0), .distantPast])
        expectArrival(of: [AnyHashable(1) as? Int, nil])
        expectArrival(of: [Nothing(), Nothing()])
    }

    /// An element of no bytes at all.
    private struct Nothing: Hashable, Sendable {}

    private func expectArrival<Element: Hashable & Sendable>(
        of elements: [Element], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (subject, replayed) = (PublishSubject<Element>(), ReplaySubject<Element>(bufferSize: elements.count))
        let unchanged = [
            received(from: subject.asObservable()),
            received(from: subject.filter { _ in true }.map { $0 }.skip(0).take(elements.count)),
            received(from: replayed.skip(0)),
        ]
        let changes = received(from: subject.distinctUntilChanged().scan([]) { $0 + [$1] }.map { $0[$0.count - 1] })
        for element in elements {
            subject.onNext(element)
            replayed.onNext(element)
        }
        for received in unchanged + [received(from: replayed.filter { _ in true })] {
            #expect(received.value.withLock { $0 } == elements, sourceLocation: sourceLocation)
        }
        let expected = elements.indices.filter { $0 == 0 || elements[$0] != elements[$0 - 1] }.map { elements[$0] }
        #expect(changes.value.withLock { $0 } == expected, sourceLocation: sourceLocation)
    }

    private func received<Element: Sendable>(from stream: Observable<Element>) -> Shared<[Element]> {
        let elements = Shared<[Element]>([])
        _ = stream.subscribe(onNext: { element in elements.value.withLock { $0.append(element) } })
        return elements
    }

    @Test(arguments: 0...3)
    func `An element is released as often as it was retained, whether it passes, is dropped, or its receiver throws`(observers: Int) throws
    {
        let alive = Shared(0)
        do {
            let subject = PublishSubject<Counted>()
            let subscriptions = (0..<observers).map { index in
                subject.skip(index)
                    .filter { element in if element.number == 4, index == 0 { throw Thrown() } else { !element.number.isMultiple(of: 3) } }
                    .distinctUntilChanged().take(5)
                    .map { element in if element.number == 7, index == 1 { throw Thrown() } else { element } }
                    .subscribe { _ in }
            }
            for number in 0..<20 {
                subject.onNext(Counted(number / 2, alive))
                if number == 4 { subscriptions.last?.dispose() }
            }
            subject.onCompleted()
        }
        #expect(alive.value.withLock { $0 } == 0)
    }

    @Test func `An element that no operator passes on is released before onNext returns`() {
        let alive = Shared(0)
        let subject = PublishSubject<Counted>()
        let streams = [
            subject.skip(5), subject.filter { _ in false }, subject.filter { _ in throw Thrown() }, subject.take(1).skip(1),
            subject.distinctUntilChanged { _ in true }.skip(1),
        ]
        for stream in streams {
            let subscription = stream.subscribe { _ in }
            for number in 0..<3 {
                subject.onNext(Counted(number, alive))
                #expect(alive.value.withLock { $0 } == 0)
            }
            subscription.dispose()
        }
    }

    @Test func `An element that a subject receives while it emits another is released too, and one that nobody receives`() {
        let alive = Shared(0)
        do {
            let subject = PublishSubject<Counted>()
            subject.onNext(Counted(0, alive))
            let subscription = subject.filter { $0.number < 3 }.subscribe { event in
                if let element = event.element { subject.onNext(Counted(element.number + 1, alive)) }
            }
            subject.onNext(Counted(0, alive))
            subscription.dispose()
            subject.onNext(Counted(0, alive))
        }
        #expect(alive.value.withLock { $0 } == 0)
    }

    private struct Thrown: Error {}

    /// A struct with a reference whose instances are counted.
    private struct Counted: Equatable, Sendable {
        let number: Int
        let padding = SIMD16<Int>(repeating: 1)
        private let instance: Instance

        init(_ number: Int, _ alive: Shared<Int>) {
            self.number = number
            instance = Instance(alive)
        }

        static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }
    }

    private final class Instance: Sendable {
        private let alive: Shared<Int>

        init(_ alive: Shared<Int>) {
            self.alive = alive
            alive.value.withLock { $0 += 1 }
        }

        deinit { alive.value.withLock { $0 -= 1 } }
    }

    private final class Shared<Value: Sendable>: Sendable {
        let value: Lock<Value>

        init(_ value: Value) { self.value = Lock(value) }
    }
}
