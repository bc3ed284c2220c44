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

/// A protocol with which a terminal draws pictures.
public enum PictureProtocol: Hashable, Sendable {
    /// The kitty graphics protocol: pixels in Base64.
    case kitty
    /// DEC's sixel graphics: six lines of one colour at a time.
    case sixel

    /// The command that removes a picture from the screen. Text that is written over a sixel picture replaces
    /// it.
    var erasing: String {
        switch self {
        case .kitty: KittyDrawing.erasing
        case .sixel: ""
        }
    }

    /// Returns the bytes that draw the picture at the cursor, which stays in place.
    public func drawing(_ pixels: Pixels) -> String {
        switch self {
        case .kitty: KittyDrawing.text(pixels)
        case .sixel: SixelDrawing.text(pixels)
        }
    }
}
