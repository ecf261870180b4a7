import Schedulers

/// The elements of one key, emitted by `groupBy`.
public struct GroupedObservable<Key: Sendable, Element: Sendable>: ObservableType {
    /// The key of its elements.
    public let key: Key
    @usableFromInline let source: Observable<Element>

    @inlinable
    init(key: Key, source: Observable<Element>) {
        self.key = key
        self.source = source
    }

    @inlinable
    public func asObservable() -> Observable<Element> {
        source
    }
}

extension ObservableType {
    /// Emits a stream for each distinct key, which emits the elements of that key; all fail if `keySelector` throws.
    ///
    /// ```swift
    /// numbers.groupBy { $0 % 2 }.flatMap { group in group.toArray() }
    /// // -1-2-3---|
    /// // ---------(ab|)   a = [1, 3], b = [2]
    /// ```
    ///
    /// A group without subscribers does not block the others. It drops its elements, or stores the last `bufferSize` of them for later
    /// subscribers. Upstream is disposed when the subscription and those of all groups are disposed. O(1) for each element; memory grows
    /// with the number of keys. Source: [ReactiveX, GroupBy](https://reactivex.io/documentation/operators/groupby.html).
    @inlinable
    public func groupBy<Key: Hashable & Sendable>(
        bufferSize: Int = 0, keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<GroupedObservable<Key, Element>> {
        guard bufferSize > 0 else { return asObservable()._groupBy(keySelector) { PublishSubject() } }
        return asObservable()._groupBy(keySelector) { ReplaySubject(bufferSize: bufferSize) }
    }
}

extension Observable {
    @inlinable
    func _groupBy<Key: Hashable & Sendable, Group: ObservableType<Element> & ObserverType<Element>>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key, _ makeGroup: @escaping @Sendable () -> Group
    ) -> Observable<GroupedObservable<Key, Element>> {
        let start = start
        return Observable<GroupedObservable<Key, Element>> { downstream, lifetime in
            let upstream = SharedUpstream(for: lifetime)
            let groups = SerialState((byKey: [Key: Group](), inOrder: [Group]()))
            @Sendable func stop(_ event: Event<Element>) {
                guard upstream.lifetime.end() else { return }
                let ended = groups.value.inOrder
                groups.value = ([:], [])
                for group in ended { group.on(event) }
                guard !lifetime.isDisposed else { return }
                downstream.on(event.terminal())
            }
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    guard !upstream.lifetime.isDisposed else { return }
                    guard case .next(let element) = event else { return stop(event) }
                    let key: Key
                    do { key = try keySelector(element) } catch { return stop(.error(error)) }
                    if let group = groups.value.byKey[key] { return group.on(event) }
                    guard !lifetime.isDisposed else { return }
                    let group = makeGroup()
                    groups.value.byKey[key] = group
                    groups.value.inOrder.append(group)
                    downstream.onNext(GroupedObservable(key: key, source: upstream.keptActive(by: group.asObservable())))
                    group.on(event)
                }, upstream.lifetime)
        }
    }
}
