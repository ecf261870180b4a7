// A single is subscribed to like a stream.
// error: 'subscribe(onNext:onError:onCompleted:onDisposed:)' has been renamed to 'subscribe(onSuccess:onFailure:onDisposed:)'
import Streams

private func example(_ profile: Single<String>, _ bag: DisposeBag) {
    #if MISTAKE
        profile.subscribe(onNext: { name in print(name) }).disposed(by: bag)
    #else
        profile.subscribe(onSuccess: { name in print(name) }).disposed(by: bag)
    #endif
}
