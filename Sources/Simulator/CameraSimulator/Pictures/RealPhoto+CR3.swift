/// CR3, the RAW format of newer Canon cameras. Sources: ISO 14496-12, and the description of the format at
/// github.com/lclevy/canon_cr3.
extension RealPhoto {
    /// Returns a CR3 file up to its sensor data: Canon's metadata with the thumbnail, the tracks that refer
    /// to the JPEG of full size and to the sensor data, the preview, and the JPEG.
    func cr3Front(size: Int, preview: EncodedPicture) -> [UInt8] {
        let brand = ISOBox.box("ftyp", Array("crx ".utf8), ISOBox.numbers(1), Array("crx isom".utf8))
        let before = brand + movie(pictureAt: 0, dataAt: 0, dataBytes: 0)
        let after = rating + previewBox(preview)
        // The length of the movie box does not depend on the offsets in it.
        let pictureStart = before.count + after.count + ISOBox.longHeaderBytes
        let picture = options.hasFullPreview ? full.file : []
        let dataStart = pictureStart + picture.count
        let dataBytes = Self.dataBytes(front: dataStart, size: size)
        return brand + movie(pictureAt: pictureStart, dataAt: dataStart, dataBytes: dataBytes) + after
            + ISOBox.longHeader("mdat", contentBytes: picture.count + dataBytes) + picture
    }

    /// The ID of Canon's box with the preview.
    private static let previewID: [UInt8] = [
        0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
    ]
    /// The ID of the XMP box.
    private static let xmpID: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]

    private func movie(pictureAt pictureStart: Int, dataAt dataStart: Int, dataBytes: Int) -> [UInt8] {
        var tracks: [[UInt8]] = []
        if options.hasFullPreview {
            tracks.append(
                track(
                    1, sample: ISOBox.box("JPEG", ISOBox.numbers(0)), kind: 3, at: pictureStart,
                    bytes: full.announcedBytes))
        }
        let sensor = ISOBox.box("CMP1", [UInt8](repeating: 0, count: 52))
        tracks.append(
            track(
                UInt32(tracks.count + 1), sample: sensor, kind: 1, at: dataStart, bytes: UInt32(dataBytes)))
        // Times and durations are 0, which is valid for a photo. The time scale is one unit per second.
        let header = ISOBox.fullBox(
            "mvhd", ISOBox.numbers(0, 0, 1, 0, 0x1_0000), ISOBox.shorts(0x100, 0), ISOBox.numbers(0, 0),
            Self.matrix, ISOBox.numbers(0, 0, 0, 0, 0, 0, UInt32(tracks.count + 1)))
        return ISOBox.box(
            "moov", ISOBox.box("uuid", ISOBox.canonMetadataID + canonMetadata), header, tracks.flatMap { $0 })
    }

    /// The matrix of an upright picture.
    private static let matrix = ISOBox.numbers(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000)

    /// Canon's boxes with the compressor's version, EXIF, the position and the thumbnail. Each box with EXIF
    /// contains a separate TIFF structure.
    private var canonMetadata: [UInt8] {
        var main = metadata.directory(for: options)
        main[0x8769] = nil
        main[0x8825] = nil
        if options.defect == .cycle { main.nextOffset = UInt32(Self.exifStart) }
        var boxes = ISOBox.box("CNCV", Array("CanonCR3_001/00.09.00/00.00.00".utf8))
        boxes += ISOBox.box("CMT1", tiff(main))
        boxes += ISOBox.box("CMT2", tiff(metadata.exifDirectory(for: options)))
        if options.hasPosition { boxes += ISOBox.box("CMT4", tiff(ShotMetadata.position)) }
        if options.hasThumbnail {
            boxes += ISOBox.fullBox(
                "THMB", ISOBox.shorts(UInt16(thumbnail.width), UInt16(thumbnail.height)),
                ISOBox.numbers(thumbnail.announcedBytes), ISOBox.shorts(1, 0), thumbnail.file)
        }
        return boxes
    }

    private func tiff(_ directory: TIFFDirectory) -> [UInt8] {
        let order = options.byteOrder
        var header = ByteWriter()
        header.raw(order.tiffMark)
        header.u32(UInt32(Self.exifStart), order)
        return header.bytes + directory.encoded(at: Self.exifStart, in: order)
    }

    /// Returns a track with one sample.
    private func track(
        _ number: UInt32, sample: [UInt8], kind: UInt16, at offset: Int, bytes: UInt32
    ) -> [UInt8] {
        let (width, height) = (UInt16(full.width), UInt16(full.height))
        let header = ISOBox.fullBox(
            "tkhd", flags: 7, ISOBox.numbers(0, 0, number, 0, 0, 0, 0), ISOBox.shorts(0, 0, 0, 0),
            Self.matrix, ISOBox.numbers(UInt32(width) << 16, UInt32(height) << 16))
        // A sample entry of a video (ISO 14496-12, 12.1.3). At the end are Canon's kind (3 for a JPEG, 1 for
        // sensor data) and Canon's box.
        let entry = ISOBox.box(
            "CRAW", ISOBox.shorts(0, 0, 0, 1), [UInt8](repeating: 0, count: 16), ISOBox.shorts(width, height),
            ISOBox.numbers(0x48_0000, 0x48_0000, 0), ISOBox.shorts(1), [UInt8](repeating: 0, count: 32),
            ISOBox.shorts(24, 0xFFFF, kind, 0), sample)
        let table = ISOBox.box(
            "stbl", ISOBox.fullBox("stsd", ISOBox.numbers(1), entry),
            ISOBox.fullBox("stts", ISOBox.numbers(1, 1, 1)),
            ISOBox.fullBox("stsc", ISOBox.numbers(1, 1, 1, 1)),
            ISOBox.fullBox("stsz", ISOBox.numbers(bytes, 1)),
            ISOBox.fullBox(
                "co64",
                ISOBox.numbers(
                    1, UInt32(truncatingIfNeeded: offset >> 32), UInt32(truncatingIfNeeded: offset))))
        let media = ISOBox.box(
            "minf", ISOBox.fullBox("vmhd", flags: 1, ISOBox.numbers(0, 0)),
            ISOBox.box(
                "dinf",
                ISOBox.fullBox("dref", ISOBox.numbers(1), ISOBox.fullBox("url ", flags: 1))),
            table)
        return ISOBox.box(
            "trak", header,
            ISOBox.box(
                "mdia", ISOBox.fullBox("mdhd", ISOBox.numbers(0, 0, 1, 0), ISOBox.shorts(0, 0)),
                ISOBox.fullBox("hdlr", ISOBox.numbers(0), Array("vide".utf8), ISOBox.numbers(0, 0, 0), [0]),
                media))
    }

    /// The XMP box with the rating in stars, or no bytes for a photo without a rating.
    private var rating: [UInt8] {
        guard metadata.rating > 0 else { return [] }
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">\
            <xmp:Rating>\(metadata.rating)</xmp:Rating></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        return ISOBox.box("uuid", Self.xmpID, Array(packet.utf8))
    }

    private func previewBox(_ preview: EncodedPicture) -> [UInt8] {
        let picture = ISOBox.box(
            "PRVW", ISOBox.numbers(0),
            ISOBox.shorts(1, UInt16(preview.width), UInt16(preview.height), 1),
            ISOBox.numbers(preview.announcedBytes), preview.file)
        return ISOBox.box("uuid", Self.previewID, ISOBox.numbers(0, 1), picture)
    }
}
