/// Decides which view has the keys.
///
/// ```swift
/// let focus = Focus(in: root, bindings: [
///     Key.Binding("quit", .character("q"), hint: "quit") { MainLoop.stop() },
/// ])
/// keyboard.keys.bind(to: focus.rx.keys).disposed(by: bag)
/// ```
///
/// A key goes to the focused view, and if that leaves it, to the views that contain it, from the inside out. A key that none of them takes is
/// looked up in the ``bindings``: a letter that is a command in a list is text in a text field. Tab and Shift-Tab move the focus to the next
/// and the previous view of the ring, which is made of the visible views that can have it, in the order of the tree, if there are
/// several. A click goes to the view that it points at, which gets the focus if it can.
///
/// Source: [UIKit, focus](https://developer.apple.com/documentation/uikit/focus-based-navigation).
@MainActor
public final class Focus: ReactiveCompatible {
    /// The actions of a screen, and the keys that start them.
    public typealias Bindings = Key.Bindings<@MainActor @Sendable () -> Void>

    /// The keys of the screen as a whole.
    public var bindings: Bindings

    /// The view that has the keys: at first, and when the view that had them is hidden or removed, the nearest that can have them. `nil` if
    /// there is no such view. If you set it to `nil`, no view has them until Tab is pressed, and the bindings get all keys.
    public var focusedView: View? {
        get {
            follow()
            return focusRelay.value
        }
        set {
            isReleased = newValue == nil
            isStale = true
            move(to: newValue)
        }
    }

    /// Emits the view that has the keys, starting with the current one.
    public var changes: Observable<View?> { focusRelay.asObservable() }

    /// The view to which keys and clicks are confined, such as a dialog; `nil` for the whole screen. When it ends, the view that had the
    /// focus before gets it back.
    public var scope: View? {
        didSet {
            guard scope !== oldValue else { return }
            if oldValue == nil { outside = focusRelay.value }
            isReleased = false
            isStale = true
            if scope == nil, let outside { move(to: outside) }
            follow()
        }
    }

    private let root: View
    private let focusRelay = BehaviorRelay<View?>(value: nil)
    private weak var outside: View?
    /// Whether views may have appeared or disappeared since the focus was last decided.
    private var isStale = true
    /// Whether no view has the keys because the program said so.
    private var isReleased = false

    /// Creates the focus of a screen with this root view.
    public init(in root: View, bindings: Bindings = []) {
        self.root = root
        self.bindings = bindings
        root.focus = self
        follow()
    }

    /// Gives a key to the view that has them, and then to the bindings.
    /// - Returns: whether anything took it.
    @discardableResult
    public func handle(_ key: Key) -> Bool {
        if let mouse = key.mouse { return point(mouse, key, at: scope ?? root) }
        let first = focusedView ?? scope ?? root
        if first.handle(key) || move(key) { return true }
        for view in first.containers(in: scope ?? root) where view.handle(key) { return true }
        guard let action = bindings[key] else { return false }
        action()
        return true
    }

    /// Gives the keys to the next view of the ring.
    public func focusNext() { step(by: 1) }

    /// Gives the keys to the previous view of the ring.
    public func focusPrevious() { step(by: -1) }

    private func move(_ key: Key) -> Bool {
        let isForward = key == .tab
        guard isForward || key == Key(.tab, .shift), ring.contains(where: { $0 !== focusedView }) else { return false }
        step(by: isForward ? 1 : -1)
        return true
    }

    private func step(by distance: Int) {
        let ring = ring
        guard !ring.isEmpty else { return }
        let place = ring.firstIndex { $0 === focusedView } ?? (distance > 0 ? -1 : 0)
        focusedView = ring[(place + distance + ring.count) % ring.count]
    }

    /// Gives a mouse event to the view that it points at, the innermost and topmost first.
    private func point(_ mouse: Key.Mouse, _ key: Key, at view: View) -> Bool {
        guard view.position(of: mouse.position) != nil else { return false }
        for inner in view.subviews.reversed() where point(mouse, key, at: inner) { return true }
        guard case .press = mouse.action, view.canBecomeFocused else { return view.handle(key) }
        focusedView = view
        view.handle(key)
        return true
    }

    private var ring: [View] { (scope ?? root).focusable }

    func treeChanged() { isStale = true }

    /// Decides anew who has the keys, if views have appeared or disappeared.
    func follow() {
        guard isStale else { return }
        isStale = false
        let ring = ring
        let current = focusRelay.value
        guard !ring.contains(where: { $0 === current }) else { return move(to: current) }
        move(to: isReleased ? nil : current?.nearest(in: ring) ?? ring.first)
    }

    private func move(to view: View?) {
        for other in root.all where other.canBecomeFocused { other.showFocus(other === view) }
        if view !== focusRelay.value { focusRelay.accept(view) }
    }
}

extension Reactive where Base == Focus {
    /// Gives keys to the focus: bind the keys of a ``Keyboard`` to it.
    @MainActor public var keys: Binder<Key> {
        Binder(base) { focus, key in focus.handle(key) }
    }
}

extension View {
    fileprivate var all: [View] { [self] + subviews.flatMap(\.all) }

    /// The visible views within this one that can have the keys, in the order of the tree.
    fileprivate var focusable: [View] {
        guard !isHidden else { return [] }
        return (canBecomeFocused ? [self] : []) + subviews.flatMap(\.focusable)
    }

    /// The views around this one, from the inside out, up to `outermost`.
    fileprivate func containers(in outermost: View) -> [View] {
        guard self !== outermost, let superview else { return [] }
        return [superview] + superview.containers(in: outermost)
    }

    /// The first of these views in the closest container of this one that has any.
    fileprivate func nearest(in ring: [View]) -> View? {
        guard let superview else { return nil }
        return superview.focusable.first { candidate in ring.contains { $0 === candidate } } ?? superview.nearest(in: ring)
    }
}
