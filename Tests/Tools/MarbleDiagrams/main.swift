import StreamsTesting

print(try Gallery.text())
