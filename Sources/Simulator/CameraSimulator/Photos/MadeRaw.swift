extension MadePhoto {
    /// A raw file of exactly `size` bytes; a little more when `size` is too small for its header.
    func raw(_ format: RawFormat, size: Int, thumbnail: [UInt8]) -> ByteRope {
        switch format {
        case .cr3: cr3(size: size, thumbnail: thumbnail)
        case .raf: raf(size: size, jpeg: jpeg(size: 0, thumbnail: thumbnail).bytes)
        case .dng, .cr2, .nef, .arw: tiff(format, size: size)
        }
    }

    /// RAF: a mark, the camera's name, then where JPEG, header and raw data lie (big-endian), as readers know it. How the body
    /// was held stands in the JPEG.
    private func raf(size: Int, jpeg: [UInt8]) -> ByteRope {
        let headerBytes = 160
        let dataCount = max(64, size - headerBytes - jpeg.count)
        var out = ByteWriter()
        out.raw(Array("FUJIFILMCCD-RAW 0201FF389501".utf8))
        let camera = Array(facts.model.utf8.prefix(31))
        out.raw(camera)
        out.zeros(32 - camera.count)
        out.raw(Array("0100".utf8))
        out.zeros(20)
        out.big32(UInt32(headerBytes))
        out.big32(UInt32(jpeg.count))
        out.big32(0)
        out.big32(0)
        out.big32(UInt32(headerBytes + jpeg.count))
        out.big32(UInt32(dataCount))
        out.zeros(headerBytes - out.bytes.count)
        var rope = ByteRope(out.bytes + jpeg)
        rope.append(pool.noise(bytes: dataCount, shot: facts.number + 3))
        return rope
    }

    private func tiff(_ format: RawFormat, size: Int) -> ByteRope {
        var header = ByteWriter()
        header.raw([0x49, 0x49, 0x2A, 0x00])
        let start = format == .cr2 ? 16 : 8
        header.u32(UInt32(start))
        if format == .cr2 {
            header.raw(Array("CR".utf8) + [2, 0])
            header.u32(UInt32(start))
        }
        var directory = facts.directory(width: Self.width, height: Self.height)
        directory[0x00FE] = .long([0])
        directory[0x0100] = .long([UInt32(Self.width)])
        directory[0x0101] = .long([UInt32(Self.height)])
        directory[0x0102] = .short([14])
        directory[0x0103] = .short([format == .nef ? 34713 : 7])
        directory[0x0106] = .short([32803])
        directory[0x0115] = .short([1])
        directory[0x0116] = .long([UInt32(Self.height)])
        let preview = preview
        switch format {
        case .cr2, .arw:
            directory[0x0201] = .blob(preview)
            directory[0x0202] = .long([UInt32(preview.count)])
        default:
            // A Nikon's JpgFromRaw, a DNG's preview: in a directory of its own.
            var reduced = TIFFDirectory()
            reduced[0x00FE] = .long([1])
            reduced[0x0100] = .long([UInt32(Self.width)])
            reduced[0x0101] = .long([UInt32(Self.height)])
            reduced[0x0103] = .short([6])
            reduced[0x0201] = .blob(preview)
            reduced[0x0202] = .long([UInt32(preview.count)])
            directory[0x014A] = .directory(reduced)
        }
        if format == .dng {
            directory[0xC612] = .byte([1, 4, 0, 0])
            directory[0xC614] = .ascii(facts.model)
        }
        // The strip's offset depends on the directory's length, which does not depend on the strip's values.
        directory[0x0111] = .long([0])
        directory[0x0117] = .long([0])
        let dataStart = start + directory.encoded(at: start).count
        let dataCount = max(64, size - dataStart)
        directory[0x0111] = .long([UInt32(dataStart)])
        directory[0x0117] = .long([UInt32(dataCount)])
        var rope = ByteRope(header.bytes + directory.encoded(at: start))
        rope.append(pool.noise(bytes: dataCount, shot: facts.number + 3))
        return rope
    }

    private func cr3(size: Int, thumbnail: [UInt8]) -> ByteRope {
        let order: [UInt8] = [0x49, 0x49, 0x2A, 0x00, 8, 0, 0, 0]
        var main = facts.directory(width: Self.width, height: Self.height)
        main[0x8769] = nil
        let exif = facts.exifDirectory(width: Self.width, height: Self.height)
        let canon =
            Self.box("CNCV", Array("CanonCR3_001/00.09.00/00.00.00".utf8))
            + Self.box("CMT1", order + main.encoded(at: order.count))
            + Self.box("CMT2", order + exif.encoded(at: order.count))
            + Self.box("THMB", Self.thumbnailHeader(thumbnail) + thumbnail)
        // Canon's metadata box inside moov.
        let canonID: [UInt8] = [
            0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
        ]
        var brand = ByteWriter()
        brand.raw(Array("crx ".utf8))
        brand.big32(1)
        brand.raw(Array("crx isom".utf8))
        let preview = preview
        let previewID: [UInt8] = [
            0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
        ]
        // The first track is the JPEG at the start of the data; its place does not change the length of what is before it.
        func front(jpegAt place: Int) -> [UInt8] {
            var size = ByteWriter()
            size.big32(0)
            size.big32(UInt32(preview.count))
            size.big32(1)
            var offset = ByteWriter()
            offset.big32(0)
            offset.big32(1)
            offset.big32(0)
            offset.big32(UInt32(place))
            let table = Self.box("stbl", Self.box("stsz", size.bytes) + Self.box("co64", offset.bytes))
            let track = Self.box("trak", Self.box("mdia", Self.box("minf", table)))
            return Self.box("ftyp", brand.bytes)
                + Self.box("moov", Self.box("uuid", canonID + canon) + track)
                + Self.box(
                    "uuid",
                    previewID + [UInt8](repeating: 0, count: 8)
                        + Self.box("PRVW", Self.previewHeader(preview) + preview))
        }
        let front = front(jpegAt: front(jpegAt: 0).count + 16)
        let dataCount = max(64 + preview.count, size - front.count - 16)
        var data = ByteWriter()
        data.big32(1)
        data.raw(Array("mdat".utf8))
        data.big32(UInt32(truncatingIfNeeded: (dataCount + 16) >> 32))
        data.big32(UInt32(truncatingIfNeeded: dataCount + 16))
        var rope = ByteRope(front + data.bytes + preview)
        rope.append(pool.noise(bytes: dataCount - preview.count, shot: facts.number + 3))
        return rope
    }

    private static func previewHeader(_ preview: [UInt8]) -> [UInt8] {
        var out = ByteWriter()
        out.big32(0)
        out.big16(1)
        out.big16(UInt16(width))
        out.big16(UInt16(height))
        out.big16(1)
        out.big32(UInt32(preview.count))
        return out.bytes
    }

    private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        var out = ByteWriter()
        out.big32(UInt32(payload.count + 8))
        out.raw(Array(type.utf8))
        out.raw(payload)
        return out.bytes
    }

    private static func thumbnailHeader(_ thumbnail: [UInt8]) -> [UInt8] {
        var out = ByteWriter()
        out.big32(0)
        out.big16(UInt16(thumbnailWidth))
        out.big16(UInt16(thumbnailHeight))
        out.big32(UInt32(thumbnail.count))
        out.big16(1)
        out.big16(0)
        return out.bytes
    }
}
