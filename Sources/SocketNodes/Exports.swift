@_exported import Redaction
@_exported import Streams
