print("MarbleDiagrams")
