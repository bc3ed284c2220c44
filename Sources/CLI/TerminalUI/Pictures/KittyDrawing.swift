import FoundationEssentials

/// Encodes pictures in the kitty graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol).
enum KittyDrawing {
    /// The largest number of Base64 bytes that the protocol allows in one command.
    private static let chunk = 4_096

    /// The command that deletes the image and its data.
    static let erasing = "\u{1B}_Ga=d,d=I,i=1,q=2\u{1B}\\"

    /// Returns the commands that transmit and show a picture. The commands send RGB pixels (f=24) under a
    /// fixed image id (i=1). They suppress responses (q=2) and keep the cursor in place (C=1).
    static func text(_ pixels: Pixels) -> String {
        var rest = Substring(Data(pixels.bytes).base64EncodedString())
        var text = ""
        var keys = "a=T,f=24,s=\(pixels.width),v=\(pixels.height),i=1,p=1,q=2,C=1,"
        repeat {
            let part = rest.prefix(chunk)
            rest = rest.dropFirst(part.count)
            text += "\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);\(part)\u{1B}\\"
            keys = ""
        } while !rest.isEmpty
        return text
    }
}
