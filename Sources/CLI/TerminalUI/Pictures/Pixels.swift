/// A picture as pixels, line by line. Each pixel has three bytes: red, green and blue.
public struct Pixels: Hashable, Sendable {
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
    public var height: Int
    /// The bytes, `width × height × 3` in number.
    public var bytes: [UInt8]

    /// Creates a picture, or returns `nil` if the number of bytes does not match the size.
    public init?(width: Int, height: Int, bytes: [UInt8]) {
        guard width > 0, height > 0, bytes.count == width * height * 3 else { return nil }
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
