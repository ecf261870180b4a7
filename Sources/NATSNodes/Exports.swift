@_exported import SocketNodes
