/// Reads a C array of characters that Swift sees as a tuple, up to its first NUL. Bytes that are not UTF-8 become
/// replacement characters: what comes from a camera is data.
func text<Field>(of field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
