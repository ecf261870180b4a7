// A view is the object of subscribe(with:).
// error: main actor-isolated property 'name' can not be mutated from a Sendable closure
import Streams

@MainActor private final class Screen {
    var name = ""

    func load(_ names: Observable<String>, _ bag: DisposeBag) {
        #if MISTAKE
            names.subscribe(with: self, onNext: { screen, name in screen.name = name }).disposed(by: bag)
        #else
            names.bind(with: self) { screen, name in screen.name = name }.disposed(by: bag)
        #endif
    }
}
