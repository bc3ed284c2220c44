import CJPEG
import Glibc
import PictureProtocol

/// An RGB picture with three bytes for each pixel (red, green, blue), row by row.
struct Picture {
    /// The largest JPEG to decode, in pixels. A decoded picture of this size needs 300 MB. Live-view frames
    /// are much smaller.
    static let pixelsMax: UInt64 = 100_000_000

    var width: Int
    var height: Int
    var bytes: [UInt8]

    /// Decodes a JPEG, and reduces it to fit into a box. A smaller picture keeps its size.
    ///
    /// - Returns: The picture, or `nil` if the data cannot be decoded.
    init?(jpeg: [UInt8], fitting box: (width: Int, height: Int)) {
        var limits = framefast_jpeg_limits(
            most_pixels: Self.pixelsMax, most_coefficient_bytes: UInt64(PictureLimits.coefficientBytesMax),
            latest_processor_time: framefast_processor_time()
                + UInt64(PictureLimits.pictureSecondsMax) * 1_000_000_000)
        var rgb: UnsafeMutablePointer<UInt8>?
        var (width, height): (UInt32, UInt32) = (0, 0)
        let status = framefast_decode_jpeg(
            jpeg, jpeg.count, UInt32(box.width), UInt32(box.height), &limits, &rgb, &width, &height)
        guard status == 0, let rgb else { return nil }
        defer { free(rgb) }
        self.width = Int(width)
        self.height = Int(height)
        bytes = Array(UnsafeBufferPointer(start: rgb, count: Int(width) * Int(height) * 3))
        shrink(to: box)
    }

    /// Creates a picture from pixels.
    init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Reduces the picture to fit into a box. Each new pixel is the mean of the source pixels in its area.
    mutating func shrink(to box: (width: Int, height: Int)) {
        let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        guard scale < 1 else { return }
        let (newWidth, newHeight) = (
            max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale))
        )
        var reduced = [UInt8](repeating: 0, count: newWidth * newHeight * 3)
        for y in 0..<newHeight {
            let rows =
                (y * height / newHeight)..<max(y * height / newHeight + 1, (y + 1) * height / newHeight)
            for x in 0..<newWidth {
                let columns =
                    (x * width / newWidth)..<max(x * width / newWidth + 1, (x + 1) * width / newWidth)
                for color in 0..<3 {
                    var sum = 0
                    for row in rows {
                        for column in columns { sum += Int(bytes[(row * width + column) * 3 + color]) }
                    }
                    reduced[(y * newWidth + x) * 3 + color] = UInt8(sum / (rows.count * columns.count))
                }
            }
        }
        self = Picture(width: newWidth, height: newHeight, bytes: reduced)
    }
}
