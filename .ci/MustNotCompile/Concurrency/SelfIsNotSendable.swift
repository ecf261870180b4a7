// self is an object that is not Sendable.
// error: capture of 'self' with non-Sendable type 'ViewModel?' in a '@Sendable' closure
import Streams

#if MISTAKE
    private final class ViewModel {
        var name = ""

        func load(_ names: Observable<String>, _ bag: DisposeBag) {
            names.subscribe(onNext: { [weak self] name in self?.name = name }).disposed(by: bag)  // <-
        }
    }
#else
    @MainActor private final class ViewModel {
        var name = ""

        func load(_ names: Observable<String>, _ bag: DisposeBag) {
            names.bind(onNext: { [weak self] name in self?.name = name }).disposed(by: bag)
        }
    }
#endif
