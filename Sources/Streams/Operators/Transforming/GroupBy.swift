import Schedulers

/// The elements of one key, out of `groupBy`.
public struct GroupedObservable<Key: Sendable, Element: Sendable>: ObservableType {
    /// What its elements have in common.
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
    /// Sends a stream for each key that comes up, which sends the elements of that key; a throw ends all of them.
    ///
    /// ```swift
    /// numbers.groupBy { $0 % 2 }.flatMap { group in group.toArray() }
    /// // -1-2-3---|
    /// // ---------(ab|)   a = [1, 3], b = [2]
    /// ```
    ///
    /// A group nobody listens to holds nothing back. It forgets what it gets, or keeps its last `bufferSize` elements for those who
    /// subscribe later. Upstream is let go when the subscription is over and no group is listened to. An element costs one look into a
    /// dictionary, and memory grows with the number of keys.
    /// Source: [ReactiveX, GroupBy](https://reactivex.io/documentation/operators/groupby.html).
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
                downstream.on(event.error.map { .error($0) } ?? .completed)
            }
            start(
                AnyObserver { event in
                    guard !upstream.lifetime.isDisposed else { return }
                    guard case .next(let element) = event else { return stop(event) }
                    let key: Key
                    do { key = try keySelector(element) } catch { return stop(.error(error)) }
                    if let group = groups.value.byKey[key] { return group.on(event) }
                    guard !lifetime.isDisposed else { return }
                    let group = makeGroup()
                    groups.value.byKey[key] = group
                    groups.value.inOrder.append(group)
                    downstream.onNext(GroupedObservable(key: key, source: upstream.handOut(group.asObservable())))
                    group.on(event)
                }, upstream.lifetime)
        }
    }
}
