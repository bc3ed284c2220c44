import Glibc

/// The color space Adobe RGB (1998).
enum AdobeRGB {
    /// The exponent of the color space, as its specification defines it: 2 51/256.
    private static let gamma = 2.199_218_75

    /// Converts a color from sRGB values to Adobe RGB values.
    ///
    /// Both color spaces have the same white, red and blue. Most factors are therefore 0.
    static func values(of color: SceneColor) -> SceneColor {
        let (red, green, blue) = (linear(color.red), linear(color.green), linear(color.blue))
        return SceneColor(
            encoded(0.715_162_7 * red + 0.284_837_3 * green), encoded(green),
            encoded(0.041_170_4 * green + 0.958_829_6 * blue))
    }

    /// Returns the linear light of an sRGB value (IEC 61966-2-1).
    private static func linear(_ value: Double) -> Double {
        let value = value / 255
        return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ light: Double) -> Double { pow(min(max(light, 0), 1), 1 / gamma) * 255 }

    /// An ICC profile of the color space (ICC.1:2001-04, matrix and tone curve).
    static let profile: [UInt8] = {
        let text = "Adobe RGB (1998) compatible"
        var description = ByteWriter()
        description.raw(Array("desc".utf8))
        description.big32(0)
        description.big32(UInt32(text.utf8.count + 1))
        description.raw(Array(text.utf8))
        // The final NUL, then empty Unicode and Macintosh names.
        description.zeros(1 + 8 + 3 + 67)
        var curve = ByteWriter()
        curve.raw(Array("curv".utf8))
        curve.big32(0)
        curve.big32(1)
        curve.big16(UInt16(gamma * 256))
        let tags: [(name: String, data: [UInt8])] = [
            ("desc", description.bytes),
            ("cprt", Array("text".utf8) + [0, 0, 0, 0] + Array("Public domain".utf8) + [0]),
            ("wtpt", point(0.950_5, 1, 1.089_1)), ("rXYZ", point(0.609_74, 0.311_11, 0.019_47)),
            ("gXYZ", point(0.205_28, 0.625_67, 0.060_87)), ("bXYZ", point(0.149_19, 0.063_22, 0.744_57)),
            ("rTRC", curve.bytes), ("gTRC", curve.bytes), ("bTRC", curve.bytes),
        ]
        var table = ByteWriter()
        var data: [UInt8] = []
        table.big32(UInt32(tags.count))
        for tag in tags {
            table.raw(Array(tag.name.utf8))
            table.big32(UInt32(128 + 4 + tags.count * 12 + data.count))
            table.big32(UInt32(tag.data.count))
            data += tag.data
            while !data.count.isMultiple(of: 4) { data.append(0) }
        }
        var out = ByteWriter(capacity: 1024)
        out.big32(UInt32(128 + table.bytes.count + data.count))
        out.big32(0)
        out.big32(0x0210_0000)
        out.raw(Array("mntrRGB XYZ ".utf8))
        for part: UInt16 in [2024, 1, 1, 0, 0, 0] { out.big16(part) }
        out.raw(Array("acsp".utf8))
        out.zeros(28)
        // The illuminant D50 of the profile connection space.
        out.raw(point(0.964_2, 1, 0.824_9).dropFirst(8))
        out.zeros(128 - out.bytes.count)
        out.raw(table.bytes)
        out.raw(data)
        return out.bytes
    }()

    /// Returns an XYZ value as the data of a tag.
    private static func point(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        var out = ByteWriter()
        out.raw(Array("XYZ ".utf8))
        out.big32(0)
        for value in [x, y, z] { out.big32(UInt32((value * 65_536).rounded())) }
        return out.bytes
    }
}
