import StreamsTesting

extension TestScheduler {
    /// A request that takes two ticks, counts itself and answers with its number.
    func request(_ count: Tally) -> Observable<Int> {
        .deferred { [self] in
            let number = count.add()
            return Observable<Int>.timer(.seconds(2), scheduler: self).map { _ in number }
        }
    }
}

/// Keys with one hash, so that equality decides.
struct Colliding: Hashable {
    let number: Int
    func hash(into hasher: inout Hasher) {}
}

/// Synchronous requests, and how many of a key were in flight beside another.
final class CountedRequests: Sendable {
    private let state = Lock((running: [0, 0], total: 0, excess: 0))

    var total: Int { state.withLock { $0.total } }
    var excess: Int { state.withLock { $0.excess } }

    func ask(
        _ number: Int, _ answers: TestObserver<Int>, _ bag: DisposeBag,
        _ share: (Observable<Int>, Colliding) -> Observable<Int>
    ) {
        let source = Observable<Int>.create { [self] observer in
            state.withLock { state in
                state.running[number] += 1
                state.total += 1
                state.excess += state.running[number] > 1 ? 1 : 0
            }
            observer.onNext(number)
            state.withLock { $0.running[number] -= 1 }
            observer.onCompleted()
            return Disposables.create()
        }
        share(source, Colliding(number: number)).subscribe(onNext: { answers.onNext($0) }).disposed(by: bag)
    }
}
