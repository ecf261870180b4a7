public import Streams

/// Gives what the cache has, and then what the network answers: two outputs where both have one.
///
/// A miss, and anything else that goes wrong with the cache, is silent: the network's answer follows. Operator:
/// ``Streams/ObservableType/precededByCached(_:)``.
public struct FirstCachePolicyNode<Input: Sendable, Output: Sendable>: Node {
    private let cache: any Node<Input, Output>
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - cache: ends with a ``URLCacheReaderNode``.
    ///   - next: leads to the network.
    public init(cache: any Node<Input, Output>, next: any Node<Input, Output>) {
        self.cache = cache
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).precededByCached(cache.stream(input))
    }
}

/// Gives what the network answers, and what the cache has where the connection fails.
///
/// Only a technical error leads to the cache: a bad status or a body that does not fit passes. Where the cache has nothing, the technical
/// error passes too. Operator: ``Streams/ObservableType/ifConnectionFails(use:)``.
public struct IfConnectionFailedFromCacheNode<Input: Sendable, Output: Sendable>: Node {
    private let cache: any Node<Input, Output>
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - cache: ends with a ``URLCacheReaderNode``.
    ///   - next: leads to the network.
    public init(cache: any Node<Input, Output>, next: any Node<Input, Output>) {
        self.cache = cache
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).ifConnectionFails(use: cache.stream(input))
    }
}

extension ObservableType {
    /// Sends the elements of `cached` and then those of this stream. An error of `cached` ends only that.
    ///
    /// ```swift
    /// network.precededByCached(cached)
    /// // cached  --a#
    /// // network    --b--|
    /// //         --a--b--|
    /// ```
    public func precededByCached(_ cached: some ObservableType<Element>) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            cached.catch { error in
                guard !(error is CacheError) else { return .empty() }
                log.note(.warning, "FirstCachePolicyNode", "what is stored is of no use: \(redactedDescription(of: error))")
                return .empty()
            }.concat(source)
        }
    }

    /// Goes on with `fallback` after a technical error; where `fallback` fails, that technical error is the error.
    public func ifConnectionFails(use fallback: some ObservableType<Element>) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            source.catch { error in
                guard error is TechnicalError || TechnicalError(error) != nil else { throw error }
                log.note(.warning, "IfConnectionFailedFromCacheNode", "asks the cache: \(redactedDescription(of: error))")
                return fallback.asObservable().catch { _ in throw error }
            }
        }
    }
}
