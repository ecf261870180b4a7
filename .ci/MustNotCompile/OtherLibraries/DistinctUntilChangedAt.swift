// RxSwift: distinctUntilChanged(at:)
// error: 'distinctUntilChanged(at:)' is unavailable: a key path is a closure: distinctUntilChanged(\.id)
import Streams

private func example(_ names: Observable<String>) {
    #if MISTAKE
        _ = names.distinctUntilChanged(at: \.count)
    #else
        _ = names.distinctUntilChanged(\.count)
    #endif
}
