@_exported import HTTPMessages
@_exported import SocketNodes
@_exported import Streams
@_exported import WebSocketFrames
