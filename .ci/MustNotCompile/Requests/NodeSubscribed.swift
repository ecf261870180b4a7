// A node is subscribed to.
// error: 'subscribe(onNext:onError:onCompleted:onDisposed:)' is unavailable: a node sends when its stream is subscribed to: write stream().subscribe(onNext:)
import NetNodes

private func example(_ users: AnyNode<Void, JSON>, _ bag: DisposeBag) {
    #if MISTAKE
        users.subscribe(onNext: { users in print(users) }).disposed(by: bag)
    #else
        users.stream().subscribe(onNext: { users in print(users) }).disposed(by: bag)
    #endif
}
