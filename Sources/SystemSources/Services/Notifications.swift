import Foundation

extension NotificationCenter {
    /// Emits the result of `transform` for each notification of that name; skips `nil`, and fails if it throws.
    ///
    /// ```swift
    /// let titles = NotificationCenter.default.notifications(named: .titleChanged) { $0.userInfo?["title"] as? String }
    /// // --a---b--c--
    /// ```
    ///
    /// `transform` runs where a notification is posted; a `Notification` itself may not cross threads. Elements are emitted there too, and
    /// serialized if several threads post. Never completes; the observation is removed with the subscription.
    /// Source: [Combine, NotificationCenter.Publisher](https://developer.apple.com/documentation/foundation/notificationcenter/publisher).
    public func notifications<Element: Sendable>(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil,
        _ transform: @escaping @Sendable (Notification) throws -> Element?
    ) -> Observable<Element> {
        .create { observer in
            let token = self.addObserver(forName: name, object: object, queue: nil) { notification in
                do {
                    if let element = try transform(notification) { observer.onNext(element) }
                } catch { observer.onError(error) }
            }
            return NotificationObservation(self, token)
        }
    }
}

/// An observation of a notification center.
private final class NotificationObservation: Disposable, @unchecked Sendable {
    // Law 4: the token never changes, and is passed to the center only, which is thread-safe.
    private let center: NotificationCenter
    private let token: any NSObjectProtocol

    init(_ center: NotificationCenter, _ token: any NSObjectProtocol) {
        (self.center, self.token) = (center, token)
    }

    func dispose() {
        center.removeObserver(token)
    }
}
