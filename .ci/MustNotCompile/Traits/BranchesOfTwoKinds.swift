// One branch of a closure is a stream that may fail, the other one that cannot, and the compiler has no words for it.
// error: failed to produce diagnostic for expression; please submit a bug report (https://swift.org/contributing/#reporting-bugs)
import Streams

private func example(_ query: BehaviorRelay<String>, _ search: @escaping @Sendable (String) -> Observable<[String]>) {
    #if MISTAKE
        _ = query  // <-
            .flatMapLatest { text -> Observable<LoadingState<[String]>> in
                text.isEmpty ? .just(.idle) : search(text).convertToLoadingState()
            }
            .share(replay: 1)
    #else
        _ = query
            .flatMapLatest { text -> Infallible<LoadingState<[String]>> in
                text.isEmpty ? .just(.idle) : search(text).convertToLoadingState()
            }
            .share(replay: 1)
    #endif
}
