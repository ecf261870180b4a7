print("StreamsBenchmarks")
