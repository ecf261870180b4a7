public import NetNodes
public import Streams

/// Maps the application's model to its DTO on input, and a DTO to the application's model on output.
///
/// If a model throws, the stream fails and nothing is sent. Operators: `mapInput()` and
/// `mapOutput(to:)`.
public struct ModelInputNode<Input: DTOEncodable, Output: DTODecodable>: StepNode {
    public let step = Step<Input, Output, Input.DTO, Output.DTO>(.toDTO, .fromDTO)
    public let next: any Node<Input.DTO, Output.DTO>

    /// Creates a node that passes the data of its model to `next`, and maps the outputs of `next`.
    public init(next: any Node<Input.DTO, Output.DTO>) {
        self.next = next
    }
}

/// Maps a DTO to raw data, such as `JSON`, on input, and raw data to a DTO on output.
///
/// If raw data does not match, the error and the log of the request name the path. Operators: `mapToRaw()` and
/// `mapFromRaw(to:)`.
public struct DTOMapperNode<Input: RawEncodable, Output: RawDecodable>: StepNode {
    public let step = Step<Input, Output, Input.Raw, Output.Raw>(.toRaw, .fromRaw)
    public let next: any Node<Input.Raw, Output.Raw>

    /// Creates a node that passes the raw data of its input to `next`.
    public init(next: any Node<Input.Raw, Output.Raw>) {
        self.next = next
    }
}

/// A chain without input: the request has no body. Operator: `voidInput()`.
///
/// `JSON` is a model and a DTO of itself, so that `next` can be a ``ModelInputNode`` or a ``DTOMapperNode`` too.
public struct VoidInputNode<Output: Sendable>: StepNode {
    public let step = Step<Void, Output, JSON, Output>.before(.noInput)
    public let next: any Node<JSON, Output>

    /// Creates a node that passes no data to `next`.
    public init(next: any Node<JSON, Output>) {
        self.next = next
    }
}

/// A chain without output: the response's body is ignored, and logged if it is not empty. Operator:
/// `voidOutput()`.
public struct VoidOutputNode<Input: Sendable, Ignored: Sendable>: StepNode {
    public let step = Step<Input, Void, Input, Ignored>.after(.noOutput)
    public let next: any Node<Input, Ignored>

    /// Creates a node that ignores the outputs of `next`.
    public init(next: any Node<Input, Ignored>) {
        self.next = next
    }
}
