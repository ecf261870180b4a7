public import Streams

/// Emits the cached response and then the network's response: two outputs if both are available.
///
/// A miss, and any other error of the cache, is ignored: the network's response follows. Operator:
/// ``Streams/ObservableType/precededByCached(_:)``.
public struct FirstCachePolicyNode<Input: Sendable, Output: Sendable>: Node {
    private let cache: any Node<Input, Output>
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - cache: the chain that ends with a ``URLCacheReaderNode``.
    ///   - next: the chain to the network.
    public init(cache: any Node<Input, Output>, next: any Node<Input, Output>) {
        self.cache = cache
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).precededByCached(cache.stream(input))
    }
}

/// Emits the network's response, or the cached one if the connection fails.
///
/// Only a technical error falls back to the cache: HTTP errors and decoding errors are forwarded. If the cache has no response, the
/// technical error is forwarded too. Operator: ``Streams/ObservableType/ifConnectionFails(use:)``.
public struct IfConnectionFailedFromCacheNode<Input: Sendable, Output: Sendable>: Node {
    private let cache: any Node<Input, Output>
    private let next: any Node<Input, Output>

    /// - Parameters:
    ///   - cache: the chain that ends with a ``URLCacheReaderNode``.
    ///   - next: the chain to the network.
    public init(cache: any Node<Input, Output>, next: any Node<Input, Output>) {
        self.cache = cache
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(input).ifConnectionFails(use: cache.stream(input))
    }
}

extension ObservableType {
    /// Emits the elements of `cached` and then those of this stream. An error of `cached` terminates only that.
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
                log.note(.warning, "FirstCachePolicyNode", "the stored response cannot be used: \(redactedDescription(of: error))")
                return .empty()
            }.concat(source)
        }
    }

    /// Switches to `fallback` after a technical error; if `fallback` fails, the stream fails with the technical error.
    public func ifConnectionFails(use fallback: some ObservableType<Element>) -> Observable<Element> {
        let source = asObservable()
        return .logging { log in
            source.catch { error in
                guard error is TechnicalError || TechnicalError(error) != nil else { throw error }
                log.note(.warning, "IfConnectionFailedFromCacheNode", "falls back to the cache: \(redactedDescription(of: error))")
                return fallback.asObservable().catch { _ in throw error }
            }
        }
    }
}
