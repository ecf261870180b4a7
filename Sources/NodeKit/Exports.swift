@_exported import NetNodes
