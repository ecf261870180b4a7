/// Something that can be put into a chain where the HTTP request stands ready: before it is sent, and with the last word on what comes back.
public protocol RequestStep: Sendable {
    /// What `URLChain.description` calls it.
    var name: String { get }

    /// The step as a node in front of the next one.
    func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output>
}

extension RequestStep {
    public var name: String { "\(Self.self)" }
}

struct RetryStep: RequestStep {
    let policy: RetryPolicy
    var name: String { "RetryNode" }

    func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
        RetryNode(policy: policy, next: next)
    }
}

struct AborterStep: RequestStep {
    let aborter: Aborter
    var name: String { "AborterNode" }

    func node<Output: Sendable>(before next: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
        AborterNode(aborter: aborter, next: next)
    }
}
