import CJPEG
import Glibc
import PictureProtocol

extension Picture {
    /// Decodes a JPEG that will be reduced to fit into a square box. The decoded picture has at least as many
    /// pixels as the reduced picture.
    ///
    /// - Parameters:
    ///   - box: The length of the box's side, in pixels.
    ///   - latestProcessorTime: The processor time of this process at which decoding stops, in nanoseconds.
    init(jpeg: [UInt8], forBox box: Int, latestProcessorTime: UInt64) throws(PictureFailure) {
        var limits = framefast_jpeg_limits(
            most_pixels: UInt64(PictureLimits.pixelsMax),
            most_coefficient_bytes: UInt64(PictureLimits.coefficientBytesMax),
            latest_processor_time: latestProcessorTime)
        var rgb: UnsafeMutablePointer<UInt8>?
        var (width, height): (UInt32, UInt32) = (0, 0)
        let status = framefast_decode_jpeg_for_box(
            jpeg, jpeg.count, UInt32(box), &limits, &rgb, &width, &height)
        switch status {
        case 0: break
        // If memory is exhausted, a retry would fail as well.
        case EFBIG, ENOMEM: throw .decoding(.tooLarge)
        case ETIME: throw .decoding(.tooSlow)
        default: throw .decoding(.damaged)
        }
        guard let rgb else { throw .decoding(.damaged) }
        defer { free(rgb) }
        let count = Int(width) * Int(height) * 3
        self.init(
            width: Int(width), height: Int(height),
            bytes: Array(UnsafeBufferPointer(start: rgb, count: count)))
    }

    /// Encodes the picture to a baseline JPEG without metadata.
    ///
    /// - Parameter quality: The quality, from 1 to 100.
    /// - Returns: The JPEG, or `nil` if memory is exhausted or the picture is empty.
    func jpeg(quality: Int) -> [UInt8]? {
        var jpeg: UnsafeMutablePointer<UInt8>?
        var count = 0
        let status = framefast_encode_jpeg(
            bytes, UInt32(width), UInt32(height), Int32(quality), &jpeg, &count)
        guard status == 0, let jpeg else { return nil }
        defer { free(jpeg) }
        return Array(UnsafeBufferPointer(start: jpeg, count: count))
    }
}
