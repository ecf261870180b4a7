@_exported import HTTPMessages
@_exported import Streams
@_exported import WebSocketFrames
