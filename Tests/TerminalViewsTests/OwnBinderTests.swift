import StreamsTesting
import TerminalViews
import Testing

/// The listings of the page "Observers and binders" about binders of one's own.
@Suite("Custom binders", .countsResources) @MainActor
struct OwnBinderTests {
    @Test func `A computed binder, a settable property and an object that is not a view`() async throws {
        let bag = DisposeBag()
        let loads = PublishSubject<Int>()
        let gauge = Gauge()
        let journal = Journal()

        loads.bind(to: gauge.rx.percent).disposed(by: bag)
        loads.map { $0 > 80 ? "hot" : "fine" }.bind(to: gauge.rx.title).disposed(by: bag)
        loads.map { "load \($0)" }.bind(to: journal.rx.line).disposed(by: bag)

        await Task.detached { loads.onNext(90) }.value
        await mainLoopTurn()
        #expect(gauge.level == 0.9 && gauge.title == "hot")
        for try await lines in journal.lines.values where !lines.isEmpty { break }
        #expect(journal.lines.value == ["load 90"])
    }

    @Test func `A binder does not retain its target, and does nothing once that is deallocated`() async {
        let loads = PublishSubject<Int>()
        weak var released: Gauge?
        let subscription = withGauge { gauge in
            released = gauge
            return loads.bind(to: gauge.rx.percent)
        }
        #expect(released == nil)
        loads.onNext(1)
        await mainLoopTurn()
        subscription.dispose()
    }

    private func withGauge(_ bind: (Gauge) -> any Disposable) -> any Disposable {
        bind(Gauge())
    }
}

final class Gauge: View {
    var level = 0.0 { didSet { setNeedsDisplay() } }
    var title = "" { didSet { setNeedsDisplay() } }
}

extension Reactive where Base: Gauge {
    var percent: Binder<Int> {
        Binder(base) { gauge, percent in
            gauge.level = Double(percent) / 100
        }
    }
}

final class Journal: ReactiveCompatible, Sendable {
    let lines = BehaviorRelay<[String]>(value: [])
    let queue = SerialDispatchQueueScheduler(label: "journal")
}

extension Reactive where Base: Journal {
    var line: Binder<String> {
        Binder(base, scheduler: base.queue) { journal, line in
            journal.lines.update { $0.append(line) }
        }
    }
}
