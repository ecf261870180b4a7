/// Streams drawn as text, such as `--1--2--|`: their elements, their reader and their printer.
public enum Marble {}
