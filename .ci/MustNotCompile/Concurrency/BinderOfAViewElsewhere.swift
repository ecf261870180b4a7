// A binder of a view is made outside the main actor.
// error: cannot form key path to main actor-isolated property 'text'
import Streams

@MainActor private final class Label: ReactiveCompatible {
    var text = ""
}

#if MISTAKE
    private func bind(_ names: Observable<String>, to label: Label, _ bag: DisposeBag) {
        names.bind(to: label.rx.text).disposed(by: bag)  // <-
    }
#else
    @MainActor private func bind(_ names: Observable<String>, to label: Label, _ bag: DisposeBag) {
        names.bind(to: label.rx.text).disposed(by: bag)
    }
#endif
