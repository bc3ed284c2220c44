/// A protocol with which a terminal draws pictures.
public enum PictureProtocol: Hashable, Sendable {
    /// The kitty graphics protocol: pixels in Base64.
    case kitty
    /// DEC's sixel graphics: bands of six lines, drawn one color at a time.
    case sixel

    /// The command that removes a picture from the screen. The command is empty for sixel, because new text
    /// replaces the pixels in its cells.
    var erasing: String {
        switch self {
        case .kitty: KittyDrawing.erasing
        case .sixel: ""
        }
    }

    /// Returns the escape sequences that draw the picture at the cursor.
    public func drawing(_ pixels: Pixels) -> String {
        switch self {
        case .kitty: KittyDrawing.text(pixels)
        case .sixel: SixelDrawing.text(pixels)
        }
    }
}
