/// A protocol with which a terminal draws pictures.
public enum PictureProtocol: Hashable, Sendable {
    /// The kitty graphics protocol: pixels in Base64.
    case kitty
    /// DEC's sixel graphics: six lines of one color at a time.
    case sixel

    /// The command that removes a picture from the screen. Sixel has no such command, because text replaces
    /// the picture below it.
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
