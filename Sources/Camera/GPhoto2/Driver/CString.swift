/// Reads a C character array, which Swift imports as a tuple, up to its first NUL. Bytes from a camera may be
/// invalid UTF-8; these become replacement characters.
func text<Field>(of field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
