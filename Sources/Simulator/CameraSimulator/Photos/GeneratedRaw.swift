extension GeneratedPhoto {
    /// Returns a raw file of exactly `size` bytes, or slightly more if `size` is too small for the header.
    func raw(_ format: RawFormat, size: Int, thumbnail: [UInt8]) -> ByteRope {
        switch format {
        case .cr3: cr3(size: size, thumbnail: thumbnail)
        case .raf: raf(size: size, thumbnail: thumbnail)
        case .dng, .cr2, .nef, .arw: tiff(format, size: size)
        }
    }

    /// Returns a RAF file: a signature, the camera's name, then the big-endian offsets of the JPEG, the
    /// header and the raw data.
    private func raf(size: Int, thumbnail: [UInt8]) -> ByteRope {
        let headerBytes = 160
        let dataCount = max(64, size - headerBytes - thumbnail.count)
        var out = ByteWriter()
        out.raw(Array("FUJIFILMCCD-RAW 0201FF389501".utf8))
        let camera = Array(metadata.model.utf8.prefix(31))
        out.raw(camera)
        out.zeros(32 - camera.count)
        out.raw(Array("0100".utf8))
        out.zeros(20)
        out.big32(UInt32(headerBytes))
        out.big32(UInt32(thumbnail.count))
        out.big32(0)
        out.big32(0)
        out.big32(UInt32(headerBytes + thumbnail.count))
        out.big32(UInt32(dataCount))
        out.zeros(headerBytes - out.bytes.count)
        var rope = ByteRope(out.bytes + thumbnail)
        rope.append(pool.noise(bytes: dataCount, shot: metadata.number + 3))
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
        var directory = metadata.directory(width: Self.width, height: Self.height)
        directory[0x00FE] = .long([0])
        directory[0x0100] = .long([UInt32(Self.width)])
        directory[0x0101] = .long([UInt32(Self.height)])
        directory[0x0102] = .short([14])
        directory[0x0103] = .short([format == .nef ? 34713 : 7])
        directory[0x0106] = .short([32803])
        directory[0x0115] = .short([1])
        directory[0x0116] = .long([UInt32(Self.height)])
        if format == .dng {
            directory[0xC612] = .byte([1, 4, 0, 0])
            directory[0xC614] = .ascii(metadata.model)
        }
        // The strip's offset depends on the directory's length, but that length does not depend on the
        // strip's values.
        directory[0x0111] = .long([0])
        directory[0x0117] = .long([0])
        let dataStart = start + directory.encoded(at: start).count
        let dataCount = max(64, size - dataStart)
        directory[0x0111] = .long([UInt32(dataStart)])
        directory[0x0117] = .long([UInt32(dataCount)])
        var rope = ByteRope(header.bytes + directory.encoded(at: start))
        rope.append(pool.noise(bytes: dataCount, shot: metadata.number + 3))
        return rope
    }

    private func cr3(size: Int, thumbnail: [UInt8]) -> ByteRope {
        let order: [UInt8] = [0x49, 0x49, 0x2A, 0x00, 8, 0, 0, 0]
        var main = metadata.directory(width: Self.width, height: Self.height)
        main[0x8769] = nil
        let exif = metadata.exifDirectory(width: Self.width, height: Self.height)
        let canon =
            ISOBox.box("CNCV", Array("CanonCR3_001/00.09.00/00.00.00".utf8))
            + ISOBox.box("CMT1", order + main.encoded(at: order.count))
            + ISOBox.box("CMT2", order + exif.encoded(at: order.count))
            + ISOBox.fullBox(
                "THMB", ISOBox.shorts(UInt16(Self.thumbnailWidth), UInt16(Self.thumbnailHeight)),
                ISOBox.numbers(UInt32(thumbnail.count)), ISOBox.shorts(1, 0), thumbnail)
        let brand = ISOBox.box("ftyp", Array("crx ".utf8), ISOBox.numbers(1), Array("crx isom".utf8))
        let front = brand + ISOBox.box("moov", ISOBox.box("uuid", ISOBox.canonMetadataID, canon))
        let dataCount = max(64, size - front.count - ISOBox.longHeaderBytes)
        var rope = ByteRope(front + ISOBox.longHeader("mdat", contentBytes: dataCount))
        rope.append(pool.noise(bytes: dataCount, shot: metadata.number + 3))
        return rope
    }
}
