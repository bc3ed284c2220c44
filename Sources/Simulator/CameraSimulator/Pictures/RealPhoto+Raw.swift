extension RealPhoto {
    /// Returns a RAW file of exactly `size` bytes, or more if `size` is too small for the pictures.
    ///
    /// - Parameters:
    ///   - preview: The preview, which some formats contain.
    ///   - pool: The source of sensor data.
    func raw(_ format: RawFormat, size: Int, preview: EncodedPicture, pool: PaddingPool) -> ByteRope {
        let front: [UInt8]
        switch format {
        case .raf: front = rafFront(size: size)
        case .cr3: front = cr3Front(size: size, preview: preview)
        case .dng, .cr2, .nef, .arw: front = tiffFront(format, size: size, preview: preview)
        }
        switch options.defect {
        // In every format, the first eighth of these bytes ends inside the first picture.
        case .truncated: return ByteRope(Array(front.prefix(front.count / 8)))
        case .noise: return ByteRope(Self.noise(max(size, front.count), number: metadata.number))
        default:
            var rope = ByteRope(front)
            rope.append(
                pool.noise(
                    bytes: Self.dataBytes(front: front.count, size: size), shot: metadata.number + 3))
            return rope
        }
    }

    /// The smallest amount of sensor data, in bytes.
    private static let dataBytesMin = 64

    /// Returns the number of bytes of sensor data after the other parts of a file.
    static func dataBytes(front: Int, size: Int) -> Int { max(dataBytesMin, size - front) }

    /// Returns the JPEG of full size, or the preview if the file has no JPEG of full size.
    private func largest(_ preview: EncodedPicture) -> EncodedPicture {
        options.hasFullPreview ? full : preview
    }

    /// Returns a RAF file without its sensor data: a header, and a JPEG with EXIF. From byte 84, the header
    /// contains the offsets and lengths of the JPEG, the metadata and the sensor data (big-endian).
    private func rafFront(size: Int) -> [UInt8] {
        let headerBytes = 160
        let picture = jpegInRaf()
        let front = headerBytes + picture.count
        var out = ByteWriter(capacity: front)
        out.raw(Array("FUJIFILMCCD-RAW 0201FF389501".utf8))
        let camera = Array(metadata.model.utf8.prefix(31))
        out.raw(camera)
        out.zeros(32 - camera.count)
        out.raw(Array("0100".utf8))
        out.zeros(20)
        out.big32(UInt32(headerBytes))
        out.big32(options.defect == .outside ? 0x7FFF_0000 : UInt32(picture.count))
        out.big32(0)
        out.big32(0)
        out.big32(UInt32(front))
        out.big32(UInt32(Self.dataBytes(front: front, size: size)))
        out.zeros(headerBytes - out.bytes.count)
        return out.bytes + picture
    }

    /// Returns the JPEG in a RAF file. A defect of the whole file does not affect this JPEG.
    private func jpegInRaf() -> [UInt8] {
        switch options.defect {
        case .truncated, .noise:
            var valid = options
            valid.defect = nil
            return RealPhoto(metadata: metadata, options: valid).jpeg(second: nil)
        default: return jpeg(second: nil)
        }
    }

    /// Returns a TIFF-based RAW file without its sensor data.
    private func tiffFront(_ format: RawFormat, size: Int, preview: EncodedPicture) -> [UInt8] {
        let order: ByteOrder = format == .cr2 ? .little : options.byteOrder
        let start = format == .cr2 ? 16 : 8
        let lead: [UInt8] = format == .dng || format == .cr2 ? sensorSample : []
        func encoded(dataAt offset: Int, bytes: Int) -> [UInt8] {
            let data = sensorDirectory(format, offset: offset, bytes: bytes)
            let chain = Self.chain(
                directories(format, data: data, preview: preview, start: start), at: start, in: order)
            var header = ByteWriter()
            header.raw(order.tiffMark)
            header.u32(UInt32(start), order)
            if format == .cr2 {
                header.raw(Array("CR".utf8) + [2, 0])
                header.u32(UInt32(chain.offsets[chain.offsets.count - 1]))
            }
            return header.bytes + chain.bytes
        }
        // The length of the directories does not depend on the offset and the length of the sensor data.
        let front = encoded(dataAt: 0, bytes: 0).count
        let bytes = lead.count + Self.dataBytes(front: front + lead.count, size: size)
        return encoded(dataAt: front, bytes: bytes) + lead
    }

    /// A small lossless JPEG at the start of the sensor data, as in CR2 and DNG.
    private var sensorSample: [UInt8] {
        let side = EncodedPicture.losslessSide
        let scene = PictureScene(
            number: metadata.number, width: side.width, height: side.height,
            orientation: options.orientation, isAdobeRGB: false)
        return LosslessJPEG.file(scene, width: side.width, height: side.height)
    }

    /// Returns the directories of a TIFF-based RAW file.
    private func directories(
        _ format: RawFormat, data: TIFFDirectory, preview: EncodedPicture, start: Int
    ) -> [TIFFDirectory] {
        var main = metadata.directory(for: options)
        var subdirectories: [TIFFDirectory] = []
        var following: [TIFFDirectory] = []
        switch format {
        case .nef:
            // Nikon: a small picture without compression, then a JPEG, the sensor data and a smaller JPEG.
            writeUncompressed(to: &main)
            if options.hasFullPreview { subdirectories.append(Self.subdirectory(of: full)) }
            subdirectories += [data, Self.subdirectory(of: preview)]
        case .arw:
            // Sony: the preview in directory 0, the thumbnail in directory 1, the full JPEG in directory 2.
            main[0x00FE] = .long([1])
            write(preview, to: &main)
            subdirectories = [data]
            if options.hasThumbnail { following.append(Self.directory(of: thumbnail)) }
            if options.hasFullPreview { following.append(Self.subdirectory(of: full)) }
        case .dng:
            // Adobe: a small picture without compression, then the sensor data and JPEGs as strips.
            writeUncompressed(to: &main)
            main[0xC612] = .byte([1, 4, 0, 0])
            main[0xC614] = .ascii(metadata.model)
            subdirectories = [data, Self.strip(of: preview, compression: 7)]
            if options.hasFullPreview { subdirectories.append(Self.strip(of: full, compression: 7)) }
        default:
            // Canon: the largest JPEG as a strip, the thumbnail, a small picture, and the sensor data.
            main.copyEntries(of: Self.strip(of: largest(preview), compression: 6))
            main[0x00FE] = nil
            var small = TIFFDirectory()
            writeUncompressed(to: &small)
            following = (options.hasThumbnail ? [Self.directory(of: thumbnail)] : []) + [small, data]
        }
        if options.defect == .cycle {
            for index in subdirectories.indices { subdirectories[index][0x014A] = .long([UInt32(start)]) }
        }
        if !subdirectories.isEmpty { main[0x014A] = .directories(subdirectories) }
        var all = [main] + following
        if options.defect == .cycle { all[all.count - 1].nextOffset = UInt32(start) }
        return all
    }

    /// Returns the directory of the sensor data.
    private func sensorDirectory(_ format: RawFormat, offset: Int, bytes: Int) -> TIFFDirectory {
        let compression: [RawFormat: UInt16] = [.nef: 34_713, .arw: 32_767, .dng: 7, .cr2: 6]
        var data = TIFFDirectory()
        data[0x00FE] = .long([0])
        data[0x0100] = .long([UInt32(options.width)])
        data[0x0101] = .long([UInt32(options.height)])
        data[0x0102] = .short([14])
        data[0x0103] = .short([compression[format] ?? 1])
        data[0x0106] = .short([32_803])
        data[0x0111] = .long([UInt32(offset)])
        data[0x0115] = .short([1])
        data[0x0116] = .long([UInt32(options.height)])
        data[0x0117] = .long([UInt32(bytes)])
        data[0x828D] = .short([2, 2])
        data[0x828E] = .byte([0, 1, 1, 2])
        if format == .cr2 { data[0xC640] = .short([0, 0, UInt16(clamping: options.width)]) }
        return data
    }

    /// Writes a picture of 160 × 120 pixels with three bytes for each pixel.
    private func writeUncompressed(to directory: inout TIFFDirectory) {
        let (width, height) = (thumbnail.width, thumbnail.height)
        let scene = PictureScene(
            number: metadata.number, width: width, height: height, orientation: options.orientation,
            isAdobeRGB: options.color != .sRGB)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for row in 0..<height {
            for column in 0..<width {
                let color = scene.color(
                    (Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height))
                pixels += [UInt8(color.red), UInt8(color.green), UInt8(color.blue)]
            }
        }
        directory[0x00FE] = .long([1])
        directory[0x0100] = .long([UInt32(width)])
        directory[0x0101] = .long([UInt32(height)])
        directory[0x0102] = .short([8, 8, 8])
        directory[0x0103] = .short([1])
        directory[0x0106] = .short([2])
        directory[0x0111] = .blob(pixels)
        directory[0x0115] = .short([3])
        directory[0x0116] = .long([UInt32(height)])
        directory[0x0117] = .long([UInt32(pixels.count)])
    }

    /// Writes the tags that refer to a JPEG into a directory that has other tags.
    private func write(_ picture: EncodedPicture, to directory: inout TIFFDirectory) {
        directory.copyEntries(of: Self.directory(of: picture))
    }

    /// Returns a directory that refers to a JPEG with the tags JPEGInterchangeFormat and
    /// JPEGInterchangeFormatLength. NewSubfileType marks the JPEG as a reduced version of the photo.
    private static func subdirectory(of picture: EncodedPicture) -> TIFFDirectory {
        var directory = directory(of: picture)
        directory[0x00FE] = .long([1])
        return directory
    }

    /// Returns a directory that refers to a JPEG as one strip, and marks it as a reduced version.
    private static func strip(of picture: EncodedPicture, compression: UInt16) -> TIFFDirectory {
        var directory = TIFFDirectory()
        directory[0x00FE] = .long([1])
        directory[0x0100] = .long([UInt32(picture.width)])
        directory[0x0101] = .long([UInt32(picture.height)])
        directory[0x0102] = .short([8, 8, 8])
        directory[0x0103] = .short([compression])
        directory[0x0106] = .short([6])
        directory[0x0111] = .blob(picture.file)
        directory[0x0115] = .short([3])
        directory[0x0116] = .long([UInt32(picture.height)])
        directory[0x0117] = .long([picture.announcedBytes])
        return directory
    }
}
