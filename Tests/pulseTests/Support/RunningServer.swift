@_exported import RunningServers
