// Combine: AnyCancellable
// error: 'AnyCancellable' is unavailable: use any Disposable, and a DisposeBag for a set of them
import Streams

@MainActor private final class Screen {
    #if MISTAKE
        var cancellables: Set<AnyCancellable> = []
    #else
        let bag = DisposeBag()
    #endif
}
