/// Reads a C character array up to its first NUL. Swift imports a C array as a tuple. Invalid UTF-8 from a
/// camera becomes replacement characters.
func text<Field>(of field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
