import Streams
import StreamsTesting
import Testing

@Suite("do", .countsResources) struct DoTests {
    @Test func `do performs side effects around the events`() {
        let log = Output()
        @Sendable func note(_ text: String) -> @Sendable () -> Void {
            { log.print(text) }
        }
        let subscription = Observable.of(1).do(
            onNext: { _ in note("onNext")() }, afterNext: { _ in note("afterNext")() }, onCompleted: note("onCompleted"),
            afterCompleted: note("afterCompleted"), onSubscribe: note("onSubscribe"), onSubscribed: note("onSubscribed"),
            onDispose: note("onDispose")
        ).subscribe(onNext: { _ in note("next")() }, onCompleted: note("completed"), onDisposed: note("disposed"))
        #expect(
            log.lines == [
                "onSubscribe", "onNext", "next", "afterNext", "onCompleted", "completed", "disposed", "afterCompleted", "onSubscribed",
                "onDispose",
            ])
        subscription.dispose()
    }

    @Test func `onDispose of do follows afterError, before an operator behind it continues with another stream`() {
        let log = Output()
        let stream = Observable<Int>.error(Received.Failure())
            .do(afterError: { _ in log.print("afterError") }, onDispose: { log.print("onDispose") })
            .catchAndReturn(1)
        stream.subscribe(onNext: { element in log.print("\(element)") }).dispose()
        #expect(log.lines == ["afterError", "onDispose", "1"])
    }

    @Test(arguments: DisposalPath.allCases)
    func `onDispose of do is called last, after the source was disposed, on every path`(path: DisposalPath) {
        let log = Output()
        let observers = Lock<AnyObserver<Int>?>(nil)
        let source = Observable<Int>.create { observer in
            observers.withLock { $0 = observer }
            if path.isSynchronous { path.send(to: observer) }
            return Disposables.create { log.print("source disposed") }
        }
        let holder = SerialDisposable()
        let stream = source.do(
            afterNext: { _ in log.print("afterNext") }, afterError: { _ in log.print("afterError") },
            afterCompleted: { log.print("afterCompleted") },
            onSubscribed: { log.print("onSubscribed") }, onDispose: { log.print("onDispose") })
        holder.disposable = path.apply(stream).subscribe(
            onNext: { _ in if path == .disposeInside { holder.dispose() } }, onError: { _ in log.print("error") },
            onCompleted: { log.print("completed") })
        if !path.isSynchronous, let observer = observers.withLock({ $0 }) { path.send(to: observer) }
        if path == .dispose { holder.dispose() }
        let texts = log.lines
        #expect(texts.last == "onDispose", "\(texts)")
        #expect(texts.filter { $0 == "onDispose" || $0 == "source disposed" } == ["source disposed", "onDispose"], "\(texts)")
        holder.dispose()
        observers.withLock { $0 = nil }
    }

    /// The ways in which a subscription ends.
    enum DisposalPath: CaseIterable {
        case completed, completedSynchronously, failed, failedSynchronously, dispose, disposeInside, take, takeSynchronously, closureThrows

        var isSynchronous: Bool { [.completedSynchronously, .failedSynchronously, .takeSynchronously].contains(self) }

        func send(to observer: AnyObserver<Int>) {
            observer.onNext(1)
            switch self {
            case .completed, .completedSynchronously: observer.onCompleted()
            case .failed, .failedSynchronously: observer.onError(TestError.failed)
            case .dispose, .disposeInside, .take, .takeSynchronously, .closureThrows: break
            }
        }

        func apply(_ stream: Observable<Int>) -> Observable<Int> {
            switch self {
            case .take, .takeSynchronously: stream.take(1)
            case .closureThrows: stream.map { _ in throw TestError.failed }
            default: stream
            }
        }
    }
}
