// A method of a main-actor class is passed as the closure.
// error: converting function value of type '@MainActor @Sendable (String) -> ()' to '@Sendable (String) -> Void' loses global actor 'MainActor'
import Streams

@MainActor private final class Screen {
    func load(_ names: Observable<String>, _ bag: DisposeBag) {
        #if MISTAKE
            names.subscribe(onNext: show).disposed(by: bag)
        #else
            names.bind(onNext: show).disposed(by: bag)
        #endif
    }

    func show(_ name: String) {}
}
