// NodeKit: onCanceled
// error: 'onCanceled' has been renamed to 'onCancelled(_:)'
import Streams

private func example(_ context: Context<Int>) {
    #if MISTAKE
        context.onCanceled { print("cancelled") }
    #else
        context.onCancelled { print("cancelled") }
    #endif
}
