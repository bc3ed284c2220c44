import FoundationEssentials
import Glibc

/// A file of a shot before it is added to the card.
struct ShotFile: Sendable {
    /// The file name extension, in upper case.
    var fileExtension: String
    var format: ObjectFormat
    var bytes: ByteRope
    var thumbnail: ByteRope
    /// The width of the picture, in pixels, or 0 if unknown.
    var width: Int
    /// The height of the picture, in pixels, or 0 if unknown.
    var height: Int
}

/// A source of photos for the simulated camera.
struct PhotoSource: Sendable {
    private enum Origin {
        case generated(PaddingPool, sizes: ClosedRange<Int>, raw: RawFormat, Recording)
        case directory([[ShotFile]])
    }

    private let origin: Origin
    private let seed: UInt64
    /// The size of a generated raw file relative to the JPEG of its pair.
    private static let rawFactor = 3

    /// Creates a source that generates photos.
    ///
    /// - Parameters:
    ///   - sizes: The range of JPEG sizes, in bytes. Each shot has a pseudo-random size in this range.
    ///   - raw: The format of raw files.
    ///   - recording: The kinds of files that a shot creates.
    ///   - seed: The seed of the generator. Sources with the same seed generate the same photos.
    init(sizes: ClosedRange<Int>, raw: RawFormat, recording: Recording, seed: UInt64) {
        let largest = sizes.upperBound * (recording == .pair ? Self.rawFactor : 1)
        let pool = PaddingPool(photoBytes: largest, seed: seed &+ 0x9E37_79B9)
        origin = .generated(pool, sizes: sizes, raw: raw, recording)
        self.seed = seed
    }

    /// Creates a source that returns the photos of a directory repeatedly, sorted by name.
    ///
    /// Files that differ only in their extension form one shot.
    ///
    /// - Throws: ``SimulatorError`` if the directory cannot be read or contains no photos.
    init(directory: String, seed: UInt64) throws(SimulatorError) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted() } catch {
            throw .file(path: directory, reason: "it is not a readable directory")
        }
        var shots: [(stem: String, files: [ShotFile])] = []
        for name in names where !name.hasPrefix(".") {
            let url = URL(fileURLWithPath: directory).appendingPathComponent(name)
            var status = stat()
            guard !url.pathExtension.isEmpty, stat(url.path, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            let file = ShotFile(
                fileExtension: url.pathExtension.uppercased(), format: .of(fileExtension: url.pathExtension),
                bytes: ByteRope(try SharedBytes(mapping: url.path)), thumbnail: ByteRope(), width: 0,
                height: 0)
            let stem = url.deletingPathExtension().lastPathComponent
            if shots.last?.stem == stem {
                shots[shots.count - 1].files.append(file)
            } else {
                shots.append((stem, [file]))
            }
        }
        guard !shots.isEmpty else { throw .file(path: directory, reason: "it contains no photo") }
        origin = .directory(shots.map(\.files))
        self.seed = seed
    }

    /// Returns the files of one shot.
    ///
    /// - Parameters:
    ///   - requested: The kinds of files of a generated shot, or `nil` for the configured kinds.
    ///   - pictures: The options of real pictures, or `nil` for padded photos.
    func files(
        of metadata: ShotMetadata, as requested: Recording? = nil, pictures: RealPhotoOptions? = nil
    ) -> [ShotFile] {
        switch origin {
        case .directory(let shots):
            let thumbnail = thumbnail(of: metadata)
            return shots[(metadata.number - 1) % shots.count].map {
                var file = $0
                file.thumbnail = thumbnail
                return file
            }
        case .generated(let pool, let sizes, let raw, let recording):
            let size = sizes.lowerBound + Int(spread(metadata.number) % UInt64(sizes.count))
            let kinds = requested ?? recording
            if let pictures {
                return realFiles(
                    of: RealPhoto(metadata: metadata, options: pictures), size: size, raw: raw,
                    as: kinds, pool: pool)
            }
            let photo = GeneratedPhoto(metadata: metadata, pool: pool)
            let thumbnail = photo.thumbnail
            func file(_ name: String, _ bytes: ByteRope) -> ShotFile {
                ShotFile(
                    fileExtension: name, format: .of(fileExtension: name), bytes: bytes,
                    thumbnail: ByteRope(thumbnail), width: GeneratedPhoto.width, height: GeneratedPhoto.height
                )
            }
            var files: [ShotFile] = []
            let isPair = kinds == .pair
            if isPair || kinds == .raw {
                let rawSize = isPair ? size * Self.rawFactor : size
                files.append(file(raw.fileExtension, photo.raw(raw, size: rawSize, thumbnail: thumbnail)))
            }
            if isPair || kinds == .jpeg {
                files.append(file("JPG", photo.jpeg(size: size, thumbnail: thumbnail)))
            }
            return files
        }
    }

    /// Returns the files of a shot with real pictures. Only RAW files have the requested size.
    private func realFiles(
        of photo: RealPhoto, size: Int, raw: RawFormat, as recording: Recording, pool: PaddingPool
    ) -> [ShotFile] {
        let preview =
            recording != .jpeg || photo.options.hasSecondPicture ? photo.makePreview() : nil
        func file(_ name: String, _ bytes: ByteRope) -> ShotFile {
            ShotFile(
                fileExtension: name, format: .of(fileExtension: name), bytes: bytes,
                thumbnail: ByteRope(photo.thumbnail.file), width: photo.options.width,
                height: photo.options.height)
        }
        var files: [ShotFile] = []
        if recording != .jpeg, let preview {
            let rawSize = recording == .pair ? size * Self.rawFactor : size
            files.append(
                file(raw.fileExtension, photo.raw(raw, size: rawSize, preview: preview, pool: pool)))
        }
        if recording != .raw {
            let second = photo.options.hasSecondPicture ? preview : nil
            files.append(file("JPG", ByteRope(photo.jpeg(second: second))))
        }
        return files
    }

    /// The kinds of files of a generated shot, or `nil` if the photos come from a directory.
    var recording: Recording? {
        guard case .generated(_, _, _, let recording) = origin else { return nil }
        return recording
    }

    /// Returns the file of a movie. Movies are always generated.
    func movie(of metadata: ShotMetadata) -> ShotFile {
        ShotFile(
            fileExtension: "MP4", format: .movie,
            bytes: ByteRope(GeneratedMovie.file(number: metadata.number)),
            thumbnail: thumbnail(of: metadata), width: 0, height: 0)
    }

    private func thumbnail(of metadata: ShotMetadata) -> ByteRope {
        ByteRope(BlockJPEG.file(BlockPicture(columns: 20, rows: 15, number: metadata.number)))
    }

    /// Returns a pseudo-random number for a shot, computed by SplitMix64's mixing step. The sizes of
    /// consecutive shots therefore show no pattern.
    private func spread(_ number: Int) -> UInt64 {
        var z = seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
