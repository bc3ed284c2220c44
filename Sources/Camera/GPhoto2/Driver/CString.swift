/// Reads a C character array up to its first NUL. Swift imports a C array as a tuple. Bytes from a camera may
/// be invalid UTF-8, and become replacement characters.
func text<Field>(of field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
