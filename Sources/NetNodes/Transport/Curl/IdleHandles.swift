/// The easy handles that are kept for later requests. Confined to the engine's thread.
struct IdleHandles {
    private static let limit = 64

    private var handles: [CurlEasy] = []

    /// Returns a handle; `nil` if the process has no memory left.
    mutating func take() -> CurlEasy? { handles.popLast() ?? CurlEasy() }

    /// - Parameter isIntact: whether the handle's last request succeeded.
    mutating func add(_ easy: CurlEasy, isIntact: Bool) {
        guard CurlEasy.canBeReused, handles.count < Self.limit else { return }
        easy.release(isIntact: isIntact)
        handles.append(easy)
    }

    mutating func removeAll() { handles.removeAll() }
}
