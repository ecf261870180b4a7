@_exported import SocketNodes
@_exported import Streams
@_exported import WebSocketFrames
