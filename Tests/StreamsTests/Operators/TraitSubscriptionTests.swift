import Streams
import StreamsTesting
import Testing

/// What one object received, as texts.
private final class Screen: Sendable {
    private let received = BehaviorRelay<[String]>(value: [])

    var texts: [String] { received.value }

    func show(_ text: String) {
        received.update { $0.append(text) }
    }
}

@Suite("subscribe(with:) of traits", .countsResources)
struct TraitSubscriptionTests {
    @Test("a single calls one closure with the object, and then the one for the disposal")
    func single() {
        let screen = Screen()
        for result in [Single.just(1), .error(TestError("down"))] {
            result.subscribe(
                with: screen, onSuccess: { $0.show("\($1)") }, onFailure: { $0.show("\($1)") }, onDisposed: { $0.show("disposed") }
            ).dispose()
        }
        #expect(screen.texts == ["1", "disposed", "disposed", "down"])
    }

    @Test("a maybe tells its three outcomes apart")
    func maybe() {
        let screen = Screen()
        for result in [Maybe.just(1), .error(TestError("down")), .empty()] {
            result.subscribe(
                with: screen, onSuccess: { $0.show("\($1)") }, onError: { $0.show("\($1)") }, onCompleted: { $0.show("empty") }
            ).dispose()
        }
        #expect(screen.texts == ["1", "down", "empty"])
    }

    @Test("a completable completes or fails")
    func completable() {
        let screen = Screen()
        for result in [Completable.empty(), .error(TestError("down"))] {
            result.subscribe(with: screen, onCompleted: { $0.show("done") }, onError: { $0.show("\($1)") }).dispose()
        }
        #expect(screen.texts == ["done", "down"])
    }

    @Test("an infallible stream passes its elements")
    func infallible() {
        let screen = Screen()
        Infallible.of(1, 2).subscribe(with: screen, onNext: { $0.show("\($1)") }, onCompleted: { $0.show("done") }).dispose()
        #expect(screen.texts == ["1", "2", "done"])
    }

    @Test("nothing is called once the object is gone, and the subscription does not keep it")
    func gone() {
        let answers = PublishSubject<Int>()
        var screen: Screen? = Screen()
        weak let watched = screen
        let calls = BehaviorRelay(value: 0)
        let subscription = answers.asSingle().subscribe(
            with: screen ?? Screen(), onSuccess: { _, _ in calls.update { $0 += 1 } }, onDisposed: { _ in calls.update { $0 += 1 } })
        screen = nil
        #expect(watched == nil)
        answers.onNext(1)
        answers.onCompleted()
        #expect(calls.value == 0)
        subscription.dispose()
    }
}
