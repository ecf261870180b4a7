// The blocks of the landing pages of the libraries, `Sources/<Library>/<Library>.docc`, with what they take for granted.
import NetNodes
import Streams
import TerminalViews

private struct Landing {
    let text: Observable<String>
    let list: List
    let bag: DisposeBag
}

extension Landing {
    @MainActor func streams() {
        let find: @Sendable (String) -> Observable<[String]> = { .just([$0]) }
        let search = text.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
            .distinctUntilChanged()
            .flatMapLatest { query in find(query).catchAndReturn([]) }
        search.bind(to: list.rx.texts).disposed(by: bag)
    }

    func netNodes() {
        let api = URLChain(transport: .shared)
            .headers(["Accept-Language": "eo"])
            .timeout(.seconds(10))
            .retry()

        let users = api.route(.get, "https://example.com/users")
            .query(["sort": "name"])
            .output([User].self)
        users.stream().subscribe(onNext: { print($0) }, onError: { print($0.localizedDescription) }).disposed(by: bag)
    }

    func schedulers() {
        let scheduler = SerialDispatchQueueScheduler(qos: .utility)
        let timer = scheduler.schedule(after: .seconds(1)) { print("a second later") }
        timer.dispose()
    }
}
