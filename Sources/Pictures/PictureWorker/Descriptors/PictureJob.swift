import CJPEG
import PictureProtocol
import PreviewFormats
import SystemIO

/// The work for one request: finds the JPEGs in a photo, decodes one, and writes the result.
struct PictureJob {
    /// The quality of written JPEGs, from 1 to 100. WebP at the same quality is a sixth smaller, but its
    /// encoder takes 27 times as long.
    private static let quality = 80
    /// The maximum number of JPEGs to try.
    private static let triesMax = 4
    /// The longer side of a preview that suffices for a thumbnail, in pixels. Previews that are hardly larger
    /// than a thumbnail are often strongly compressed.
    private static let thumbnailSourceSide = 1_000

    private let request: PictureRequest
    private let photo: Int32
    private let file: Int32?

    /// - Parameter file: The file for the result, or `nil` if the task writes no file.
    init(request: PictureRequest, photo: Int32, file: Int32?) {
        (self.request, self.photo, self.file) = (request, photo, file)
    }

    /// Processes the request.
    func run() -> PictureResult {
        do throws(SystemCallFailure) { return try result() } catch {
            return PictureResult(number: request.number, status: .failed(errno: error.number))
        }
    }

    private func result() throws(SystemCallFailure) -> PictureResult {
        let latest =
            framefast_processor_time() + UInt64(PictureLimits.pictureSecondsMax) * 1_000_000_000
        let photo = try PhotoDescriptor(self.photo)
        let found = try PreviewFinder.find(size: photo.size) {
            (offset, count) throws(SystemCallFailure) in try photo.read(offset, count)
        }
        var result = PictureResult(number: request.number, status: .noPreview(.notFound))
        if let size = found.originalSize, max(size.width, size.height) <= PictureLimits.sideMax {
            (result.width, result.height) = (size.width, size.height)
        }
        let sources = found.sorted(forSide: sourceSide)
        let usable = sources.filter(Self.isWithinLimits)
        if !sources.isEmpty { result.status = usable.isEmpty ? .tooLarge : .noPreview(.damaged) }
        for source in usable.prefix(Self.triesMax) {
            let jpeg = try photo.read(source.range)
            if request.task == .fullSize {
                result.bytesWritten = try write(Self.withOrientation(jpeg, of: source))
                result.status = .ready
                return result
            }
            let space = try colorSpace(of: source, in: photo)
            do throws(PictureFailure) {
                let picture = try Picture(jpeg: jpeg, forBox: side, latestProcessorTime: latest)
                return try finish(picture, of: source, space: space, result)
            } catch {
                switch error {
                case .decoding(.tooSlow):
                    result.status = .noPreview(.tooSlow)
                    return result
                case .decoding(.tooLarge): result.status = .tooLarge
                case .decoding(.damaged): break
                case .file(let failure): throw failure
                }
            }
        }
        return result
    }

    /// The longest side of the result, in pixels. For ``PictureTask/facts``, the side of a thumbnail.
    private var side: Int { request.task.longestSide ?? PictureTask.thumbnail.longestSide ?? 0 }

    /// The longer side that the JPEG should have, in pixels.
    private var sourceSide: Int {
        switch request.task {
        case .facts, .thumbnail: Self.thumbnailSourceSide
        case .screen: side
        case .fullSize: .max
        }
    }

    private static func isWithinLimits(_ source: PreviewSource) -> Bool {
        source.pixels <= PictureLimits.pixelsMax && source.longestSide <= PictureLimits.sideMax
            && source.range.upperBound - source.range.lowerBound <= UInt64(PictureLimits.jpegBytesMax)
    }

    /// Converts the picture to sRGB, counts its levels, reduces it, turns it, and writes it.
    private func finish(
        _ decoded: Picture, of source: PreviewSource, space: ColorConversion?, _ found: PictureResult
    ) throws(PictureFailure) -> PictureResult {
        var (picture, result) = (decoded, found)
        if let space { space.convert(&picture) }
        let facts = PictureFacts(picture)
        result.meanColor = facts.meanColor
        result.histogram = facts.histogram
        result.clippedShadows = facts.clippedShadows
        result.clippedHighlights = facts.clippedHighlights
        if request.task.writesFile {
            let size = Picture.size(width: source.width, height: source.height, inBox: side)
            picture = picture.resampled(to: size).turned(by: source.orientation)
            guard let jpeg = picture.jpeg(quality: Self.quality) else { throw .decoding(.damaged) }
            do throws(SystemCallFailure) { result.bytesWritten = try write(jpeg) } catch {
                throw .file(error)
            }
        }
        result.status = .ready
        return result
    }

    /// Writes the result's file. Returns the number of written bytes.
    private func write(_ bytes: [UInt8]) throws(SystemCallFailure) -> Int {
        guard let file else { return 0 }
        try ResultFile(file).write(bytes)
        return bytes.count
    }

    /// Returns the conversion to sRGB, or `nil` for a picture in sRGB. A profile that lcms2 rejects counts as
    /// sRGB.
    private func colorSpace(
        of source: PreviewSource, in photo: PhotoDescriptor
    ) throws(SystemCallFailure) -> ColorConversion? {
        switch source.colorSpace {
        case .sRGB: return nil
        case .adobeRGB: return ColorConversion.adobeRGB()
        case .profile(let ranges):
            var profile: [UInt8] = []
            for range in ranges { profile += try photo.read(range) }
            return ColorConversion(profile: profile)
        }
    }

    /// Adds the orientation of the RAW file to a JPEG without its own orientation, as an EXIF segment.
    static func withOrientation(_ jpeg: [UInt8], of source: PreviewSource) -> [UInt8] {
        guard source.orientation != 1, !source.hasOwnOrientation else { return jpeg }
        let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(source.orientation), 0, 0]
        let block: [UInt8] = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + directory + [0, 0, 0, 0]
        let length = block.count + 2
        let segment: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + block
        return Array(jpeg[..<2]) + segment + Array(jpeg[2...])
    }
}

/// The reason why a JPEG has no result.
enum PictureFailure: Error {
    case decoding(DecodingFailure)
    /// The result's file cannot be written.
    case file(SystemCallFailure)
}

/// The reason why a JPEG cannot be decoded.
enum DecodingFailure: Hashable {
    case damaged
    case tooLarge
    case tooSlow
}
