import Glibc

/// Makes one small picture of one camera's file: the process's whole life. Whatever is in the file, it has nothing but the file
/// and the pipe for the answer.
///
/// The answer is a head of ``headBytes`` bytes, the histogram (768 numbers of 4 bytes: red, green, blue), and the JPEG. Numbers
/// are big-endian: width and height of what the camera took, as it is turned (4 bytes each), width and height of the JPEG (2
/// each), its mean colour (3), the file's kind of answer (1, ``Outcome``), and the bytes of the JPEG (4).
public enum ShotPicture {
    /// What was found.
    public enum Outcome: UInt8, Sendable {
        case made
        /// Nothing in the file can be shown: raw data only, or no picture.
        case nothing
        /// More pixels than are decoded.
        case tooLarge
        /// It cannot be decoded.
        case broken
    }

    /// Bytes before the histogram.
    public static let headBytes = 20
    /// Bytes of the histogram.
    public static let histogramBytes = 3 * 256 * 4
    /// Longest sides that are made, in pixels.
    public static let sides = 16...65_500
    /// Longest embedded JPEG, in bytes.
    private static let jpegBytesMax: UInt64 = 256 * 1_024 * 1_024
    /// Pixels that are decoded, and those of a JPEG that is refined step by step: all of that is kept in memory.
    private static let pixelsMax = 200_000_000
    private static let progressivePixelsMax = 40_000_000
    /// Processor time in seconds: a 60 MP JPEG takes a quarter of one.
    private static let secondsMax: rlim_t = 10

    /// Answers for the file on standard input, on standard output.
    ///
    /// - Parameter side: Longest side of the JPEG that is made, in pixels.
    public static func run(side: Int) -> Never {
        var time = rlimit(rlim_cur: secondsMax, rlim_max: secondsMax)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time) == 0, PictureFence.close(),
            sides.contains(side)
        else { _exit(1) }
        var answer = Answer()
        if let file = FileBytes(descriptor: STDIN_FILENO) { answer = self.answer(file, side: side) }
        _exit(PictureWorker.write(answer.bytes) ? 0 : 1)
    }

    static func answer(_ source: some ByteSource, side: Int) -> Answer {
        var answer = Answer()
        let (pictures, orientation) = EmbeddedPicture.all(in: source)
        guard let largest = pictures.last else { return answer }
        answer.taken =
            orientation.isSideways ? (largest.height, largest.width) : (largest.width, largest.height)
        // The smallest that is sharp at this size: half of it is thrown away by the decoder at no cost.
        let usable = pictures.filter {
            $0.count <= jpegBytesMax
                && $0.width * $0.height <= ($0.isProgressive ? progressivePixelsMax : pixelsMax)
        }
        guard let embedded = EmbeddedPicture.best(of: usable, side: side) else {
            answer.outcome = .tooLarge
            return answer
        }
        guard let jpeg = source.bytes(at: embedded.offset, count: Int(embedded.count)),
            var picture = Picture(jpeg: jpeg, fitting: (side, side), pixelsMax: UInt64(pixelsMax))
        else {
            answer.outcome = .broken
            return answer
        }
        if embedded.colour == .adobeRGB { picture.convertFromAdobeRGB() }
        picture.turn(orientation)
        guard let made = picture.jpeg() else {
            answer.outcome = .broken
            return answer
        }
        answer.outcome = .made
        answer.made = (picture.width, picture.height)
        answer.mean = picture.mean
        answer.histogram = picture.histogram
        answer.jpeg = made
        return answer
    }

    /// What is answered.
    struct Answer {
        var outcome = Outcome.nothing
        var taken = (width: 0, height: 0)
        var made = (width: 0, height: 0)
        var mean: (red: UInt8, green: UInt8, blue: UInt8) = (0, 0, 0)
        var histogram = [UInt32](repeating: 0, count: 3 * 256)
        var jpeg: [UInt8] = []

        var bytes: [UInt8] {
            func big(_ number: Int, _ count: Int) -> [UInt8] {
                (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
            return big(taken.width, 4) + big(taken.height, 4) + big(made.width, 2) + big(made.height, 2)
                + [mean.red, mean.green, mean.blue, outcome.rawValue]
                + big(jpeg.count, 4) + histogram.flatMap { big(Int($0), 4) } + jpeg
        }
    }
}
