/// A picture of a scene as a JPEG without EXIF, for embedding in a photo file.
struct EncodedPicture: Sendable {
    /// The role of a picture in its file.
    enum Role: String, Sendable {
        /// The JPEG of full size.
        case full
        /// A JPEG of about two million pixels.
        case preview
        /// A JPEG of 160 × 120 pixels.
        case thumbnail
    }

    var role: Role
    var width: Int
    var height: Int
    /// The complete JPEG.
    var file: [UInt8]
    /// The length that the photo file announces, in bytes. The length is wrong in a damaged photo file.
    var announcedBytes: UInt32

    /// The JPEG without its start-of-image marker.
    var body: ArraySlice<UInt8> { file.dropFirst(BlockJPEG.startOfImage.count) }

    /// A length that extends beyond the end of every file, in bytes.
    private static let outside: UInt32 = 0x7FFF_0000

    /// Encodes a picture.
    ///
    /// - Parameters:
    ///   - role: The role, which determines the size.
    ///   - number: The number of the shot.
    ///   - options: The options of the photo file. A defect does not affect the thumbnail, except
    ///     ``PhotoDefect/outside``.
    init(_ role: Role, number: Int, options: RealPhotoOptions) {
        self.role = role
        (width, height) = Self.size(role, options)
        let scene = PictureScene(
            number: number, width: width, height: height, orientation: options.orientation,
            isAdobeRGB: options.color != .sRGB)
        let isThumbnail = role == .thumbnail
        if options.defect == .lossless, !isThumbnail {
            // The sensor data is small, because the encoder visits each pixel.
            let side = Self.losslessSide
            (width, height) = (min(width, side.width), min(height, side.height))
            file = LosslessJPEG.file(scene, width: width, height: height)
        } else {
            let picture = SceneJPEG(
                scene: scene, number: number, width: width, height: height,
                hasGrain: options.hasGrain && !isThumbnail,
                isProgressive: options.isProgressive && role == .full,
                announcedSide: options.defect == .huge && !isThumbnail
                    ? UInt16(RealPhotoOptions.sides.upperBound) : nil)
            file = picture.file
        }
        announcedBytes = options.defect == .outside ? Self.outside : UInt32(file.count)
    }

    /// The size of sensor data, in pixels.
    static let losslessSide = (width: 192, height: 128)

    /// Returns the size of a picture, in pixels.
    private static func size(_ role: Role, _ options: RealPhotoOptions) -> (width: Int, height: Int) {
        switch role {
        case .full: return (options.width, options.height)
        case .thumbnail: return (GeneratedPhoto.thumbnailWidth, GeneratedPhoto.thumbnailHeight)
        case .preview:
            // Most cameras write a preview that fits in 1,620 × 1,080 pixels. The preview of a small picture
            // has half its size.
            let fitting = min(1_620 / Double(options.width), 1_080 / Double(options.height))
            let factor = fitting < 1 ? fitting : 0.5
            return (
                max(8, Int((Double(options.width) * factor).rounded())),
                max(8, Int((Double(options.height) * factor).rounded()))
            )
        }
    }
}
