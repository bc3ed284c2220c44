/// A generator of photo files that contain real pictures of one shot. All files show the same scene.
struct RealPhoto {
    let metadata: ShotMetadata
    let options: RealPhotoOptions
    /// The JPEG of full size.
    let full: EncodedPicture
    /// The JPEG of 160 × 120 pixels, which the camera also sends as the thumbnail of its objects.
    let thumbnail: EncodedPicture

    /// Encodes the pictures of full size and of the thumbnail.
    init(metadata: ShotMetadata, options: RealPhotoOptions) {
        var metadata = metadata
        metadata.orientation = options.orientation
        self.metadata = metadata
        self.options = options
        full = EncodedPicture(.full, number: metadata.number, options: options)
        thumbnail = EncodedPicture(.thumbnail, number: metadata.number, options: options)
    }

    /// Encodes the preview.
    func makePreview() -> EncodedPicture {
        EncodedPicture(.preview, number: metadata.number, options: options)
    }

    /// The offset of directory 0 in the EXIF of a JPEG.
    static let exifStart = 8

    /// Returns the JPEG file of the shot.
    ///
    /// - Parameter second: The second picture, or `nil` for a file with one picture.
    func jpeg(second: EncodedPicture?) -> [UInt8] {
        var head = ByteWriter(capacity: 16_384)
        head.raw(BlockJPEG.startOfImage)
        BlockJPEG.segment(0xE1, exif(), to: &head)
        var afterIndex = ByteWriter()
        if options.color == .profile {
            let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + AdobeRGB.profile
            BlockJPEG.segment(0xE2, profile, to: &afterIndex)
        }
        afterIndex.raw(full.body)
        if let second {
            let index = MultiPictureIndex(
                offset: head.bytes.count, followingBytes: afterIndex.bytes.count, second: second,
                order: options.byteOrder)
            BlockJPEG.segment(0xE2, index.payload, to: &head)
        }
        let bytes = head.bytes + afterIndex.bytes + (second?.file ?? [])
        switch options.defect {
        case .truncated: return Array(bytes.prefix((head.bytes.count + bytes.count) / 2))
        case .noise: return Self.noise(bytes.count, number: metadata.number)
        default: return bytes
        }
    }

    /// Returns the content of the EXIF segment: a TIFF structure with the thumbnail in directory 1.
    private func exif() -> [UInt8] {
        let order = options.byteOrder
        var header = ByteWriter()
        header.raw(order.tiffMark)
        header.u32(UInt32(Self.exifStart), order)
        var directories = [metadata.directory(for: options)]
        if options.hasThumbnail { directories.append(Self.directory(of: thumbnail)) }
        if options.defect == .cycle {
            directories[directories.count - 1].nextOffset = UInt32(Self.exifStart)
        }
        return Array("Exif\0\0".utf8) + header.bytes
            + Self.chain(directories, at: Self.exifStart, in: order).bytes
    }

    /// Returns a directory for a picture. Its tags JPEGInterchangeFormat and JPEGInterchangeFormatLength
    /// refer to the JPEG.
    static func directory(of picture: EncodedPicture) -> TIFFDirectory {
        var directory = TIFFDirectory()
        directory[0x0103] = .short([6])
        directory[0x011A] = .rational([(72, 1)])
        directory[0x011B] = .rational([(72, 1)])
        directory[0x0128] = .short([2])
        directory[0x0201] = .blob(picture.file)
        directory[0x0202] = .long([picture.announcedBytes])
        return directory
    }

    /// Returns directories that follow each other, and the offset of each directory.
    static func chain(
        _ directories: [TIFFDirectory], at start: Int, in order: ByteOrder
    ) -> (bytes: [UInt8], offsets: [Int]) {
        var bytes: [UInt8] = []
        var offsets: [Int] = []
        for (index, directory) in directories.enumerated() {
            offsets.append(start + bytes.count)
            bytes += directory.encoded(
                at: start + bytes.count, followedByAnother: index < directories.count - 1, in: order)
        }
        return (bytes, offsets)
    }

    /// Returns bytes that are not a photo. The bytes depend on the number of the shot.
    static func noise(_ count: Int, number: Int) -> [UInt8] {
        var state = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }
}
