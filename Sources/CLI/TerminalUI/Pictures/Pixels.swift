/// A picture as pixels: three bytes each, red, green and blue, line by line.
public struct Pixels: Hashable, Sendable {
    /// Pixels in a line.
    public var width: Int
    /// Lines.
    public var height: Int
    /// `width × height × 3` of them.
    public var bytes: [UInt8]

    /// Creates a picture; `nil` when the number of bytes is not that of its pixels.
    public init?(width: Int, height: Int, bytes: [UInt8]) {
        guard width > 0, height > 0, bytes.count == width * height * 3 else { return nil }
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}

/// How a terminal draws pictures.
public enum PictureProtocol: Hashable, Sendable {
    /// The kitty graphics protocol: pixels in Base64.
    case kitty
    /// DEC's: six lines of one colour at a time.
    case sixel

    /// The command that removes a picture from the screen. Text that is written over a sixel picture replaces it.
    var erasing: String {
        switch self {
        case .kitty: KittyDrawing.erasing
        case .sixel: ""
        }
    }

    /// What draws the picture where the cursor is; it stays there.
    public func drawing(_ pixels: Pixels) -> String {
        switch self {
        case .kitty: KittyDrawing.text(pixels)
        case .sixel: SixelDrawing.text(pixels)
        }
    }
}
