print("pulse")
