import CJPEG
import Glibc

extension Picture {
    /// Quality of the JPEGs that are made: 42 KB for 512 pixels, and nobody sees a difference at that size.
    private static let quality: Int32 = 80

    /// As a JPEG without metadata; `nil` when there is no memory for it.
    func jpeg() -> [UInt8]? {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let status = framefast_encode_jpeg(
            self.bytes, UInt32(width), UInt32(height), Self.quality, &bytes, &count)
        guard status == 0, let bytes else { return nil }
        defer { free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Turns it upright.
    mutating func turn(_ orientation: Orientation) {
        guard orientation != .upright else { return }
        let (newWidth, newHeight) = orientation.isSideways ? (height, width) : (width, height)
        var turned = [UInt8](repeating: 0, count: bytes.count)
        for y in 0..<height {
            for x in 0..<width {
                let (newX, newY) =
                    switch orientation {
                    case .upright: (x, y)
                    case .mirrored: (width - 1 - x, y)
                    case .upsideDown: (width - 1 - x, height - 1 - y)
                    case .mirroredUpsideDown: (x, height - 1 - y)
                    case .mirroredLeft: (y, x)
                    case .right: (height - 1 - y, x)
                    case .mirroredRight: (height - 1 - y, width - 1 - x)
                    case .left: (y, width - 1 - x)
                    }
                let (from, to) = ((y * width + x) * 3, (newY * newWidth + newX) * 3)
                turned[to] = bytes[from]
                turned[to + 1] = bytes[from + 1]
                turned[to + 2] = bytes[from + 2]
            }
        }
        self = Picture(width: newWidth, height: newHeight, bytes: turned)
    }

    /// Its mean colour.
    var mean: (red: UInt8, green: UInt8, blue: UInt8) {
        var sums = [0, 0, 0]
        for (index, byte) in bytes.enumerated() { sums[index % 3] += Int(byte) }
        let count = max(1, width * height)
        return (UInt8(sums[0] / count), UInt8(sums[1] / count), UInt8(sums[2] / count))
    }

    /// How often each value of red, green and blue occurs: three times 256.
    var histogram: [UInt32] {
        var counts = [UInt32](repeating: 0, count: 3 * 256)
        for (index, byte) in bytes.enumerated() { counts[index % 3 * 256 + Int(byte)] += 1 }
        return counts
    }

    /// Makes sRGB of Adobe RGB (1998).
    mutating func convertFromAdobeRGB() {
        let table = AdobeRGB.linear
        for pixel in stride(from: 0, to: bytes.count - 2, by: 3) {
            let colour = AdobeRGB.toSRGB(
                table[Int(bytes[pixel])], table[Int(bytes[pixel + 1])], table[Int(bytes[pixel + 2])])
            bytes[pixel] = AdobeRGB.encoded(colour.red)
            bytes[pixel + 1] = AdobeRGB.encoded(colour.green)
            bytes[pixel + 2] = AdobeRGB.encoded(colour.blue)
        }
    }
}

/// Adobe RGB (1998) Color Image Encoding, version 2005-05, and IEC 61966-2-1.
private enum AdobeRGB {
    /// Light of each of its 256 values.
    static let linear: [Float] = (0...255).map { powf(Float($0) / 255, 563.0 / 256) }
    /// Values of sRGB for light in steps of 1/4095.
    private static let steps = 4_095
    private static let values: [UInt8] = (0...steps).map { step in
        let light = Float(step) / Float(steps)
        let value = light <= 0.0031308 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
        return UInt8(max(0, min(255, (value * 255).rounded())))
    }

    /// Both have the same white, so that one matrix does it.
    static func toSRGB(_ red: Float, _ green: Float, _ blue: Float) -> (red: Float, green: Float, blue: Float)
    {
        (
            1.398_28 * red - 0.398_28 * green, green,
            -0.042_94 * green + 1.042_94 * blue
        )
    }

    static func encoded(_ light: Float) -> UInt8 {
        values[Int((max(0, min(1, light)) * Float(steps)).rounded())]
    }
}
