/// A single photo file with real pictures, for tests of programs that read photos.
package struct SamplePhoto: Sendable {
    /// A JPEG in the file.
    package struct Embedded: Sendable {
        /// The role of the JPEG: `full`, `preview` or `thumbnail`.
        package var role: String
        /// The width of the JPEG, in pixels.
        package var width: Int
        /// The height of the JPEG, in pixels.
        package var height: Int
        /// The complete JPEG.
        package var bytes: [UInt8]
    }

    /// The content of the file.
    package var bytes: [UInt8]
    /// The JPEGs that are embedded in the file. Excludes the main picture of a JPEG file.
    package var embedded: [Embedded]

    /// The largest size of a RAW file that uses the shared pool, in bytes.
    private static let smallBytes = 1_000_000
    private static let smallPool = PaddingPool(photoBytes: smallBytes, seed: 1)

    /// Generates a file.
    ///
    /// - Parameters:
    ///   - fileExtension: `jpg`, or the extension of a RAW format.
    ///   - number: The number of the shot.
    ///   - rating: The rating in stars, or 0 for no rating.
    ///   - rawBytes: The size of a RAW file, in bytes. A file with larger pictures is larger.
    /// - Returns: `nil` if the simulator cannot generate the format.
    package init?(
        fileExtension: String, number: Int, rating: Int, rawBytes: Int, options: RealPhotoOptions
    ) {
        let metadata = ShotMetadata(
            make: "FrameFast", model: "Simulated Camera", serial: "FF000001", number: number,
            time: WallTime(hostMs: 1_700_000_000_000 + Int64(number) * 1000), rating: UInt16(rating))
        let photo = RealPhoto(metadata: metadata, options: options)
        var pictures = options.hasThumbnail ? [photo.thumbnail] : []
        var complete: [Embedded] = []
        if fileExtension == "jpg" {
            let second = options.hasSecondPicture ? photo.makePreview() : nil
            bytes = photo.jpeg(second: second)
            if let second { pictures.append(second) }
        } else {
            guard let format = RawFormat(rawValue: fileExtension) else { return nil }
            let preview = photo.makePreview()
            let pool =
                rawBytes <= Self.smallBytes ? Self.smallPool : PaddingPool(photoBytes: rawBytes, seed: 1)
            bytes = photo.raw(format, size: rawBytes, preview: preview, pool: pool).bytes
            switch format {
            case .dng, .nef: pictures = options.hasFullPreview ? [photo.full, preview] : [preview]
            case .arw, .cr3: pictures += options.hasFullPreview ? [photo.full, preview] : [preview]
            // A CR2 contains only its largest JPEG and the thumbnail.
            case .cr2: pictures.append(options.hasFullPreview ? photo.full : preview)
            case .raf:
                complete.append(
                    Embedded(
                        role: photo.full.role.rawValue, width: photo.full.width, height: photo.full.height,
                        bytes: photo.jpeg(second: nil)))
            }
        }
        embedded =
            complete
            + pictures.map {
                Embedded(role: $0.role.rawValue, width: $0.width, height: $0.height, bytes: $0.file)
            }
    }
}
