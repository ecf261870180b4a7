// RxSwift: Disposables.create(with:)
// error: 'create(with:)' has been renamed to 'create(_:)'
import Streams

private func example() {
    #if MISTAKE
        _ = Disposables.create(with: { print("disposed") })
    #else
        _ = Disposables.create { print("disposed") }
    #endif
}
