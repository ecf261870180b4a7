/// The version of this package, by semantic versioning: `Streams.version`. "Versions" says what it promises.
public let version = "0.9.0"
