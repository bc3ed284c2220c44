/// Whole photo files with previews, in the layouts of several makers.
public enum SampleFiles {
    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// Returns a TIFF-based RAW file like a NEF: the previews and the sensor's picture in subdirectories, the
    /// EXIF data, and the thumbnail, if any, in the next directory.
    public static func raw(
        isLittle: Bool, previews: [[UInt8]], thumbnail: [UInt8]? = nil, orientation: UInt16 = 1,
        exif: SampleDirectory = .exif()
    ) -> [UInt8] {
        // Lossless JPEG, as in the data of a sensor.
        let sensor = SampleDirectory.strip(
            SampleJPEG.header(width: 6_000, height: 4_000, frame: 0xC3), compression: 7)
        let main = SampleDirectory([
            SampleEntry(0x0112, .short(orientation)),
            SampleEntry(0x014A, .directories(previews.map { .thumbnail($0) } + [sensor])),
            SampleEntry(0x8769, .directories([exif])),
        ])
        return SampleTIFF.block(isLittle: isLittle, [main] + (thumbnail.map { [.thumbnail($0)] } ?? []))
    }

    /// Returns a box of an ISO file.
    public static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(name.utf8) + content
    }

    /// Returns a CR3 file.
    public static func cr3(
        preview: [UInt8], thumbnail: [UInt8], track: [UInt8], orientation: UInt16 = 1,
        exif: SampleDirectory = .exif()
    ) -> [UInt8] {
        let canonID: [UInt8] = [
            0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
        ]
        let previewID: [UInt8] = [
            0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
        ]
        let main = SampleDirectory([SampleEntry(0x0112, .short(orientation))])
        let thumbnailHead = [UInt8](repeating: 0, count: 4) + big(160, 2) + big(120, 2)
        let canon = box(
            "uuid",
            canonID + box("CNCV", Array("CanonCR3".utf8)) + box("CMT1", SampleTIFF.block([main]))
                + box("CMT2", SampleTIFF.block([exif]))
                + box("THMB", thumbnailHead + big(thumbnail.count, 4) + big(0x1_0000, 4) + thumbnail))
        let previewHead = big(0, 4) + big(1, 2) + big(1_620, 2) + big(1_080, 2) + big(1, 2)
        let previewBox = box(
            "uuid",
            previewID + big(0, 8) + box("PRVW", previewHead + big(preview.count, 4) + preview))
        func file(trackOffset: Int) -> [UInt8] {
            let sizes = box("stsz", big(0, 4) + big(track.count, 4) + big(1, 4))
            let offsets = box("co64", big(0, 4) + big(1, 4) + big(trackOffset, 8))
            let media = box("mdia", box("minf", box("stbl", sizes + offsets)))
            let other = box("trak", box("mdia", box("minf", box("stbl", []))))
            let head = box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8))
            return head + box("moov", canon + box("mvhd", big(0, 8)) + box("trak", media) + other)
                + previewBox + box("mdat", track)
        }
        let length = file(trackOffset: 0).count
        return file(trackOffset: length - track.count)
    }

    /// Returns a RAF file.
    public static func raf(_ jpeg: [UInt8]) -> [UInt8] {
        let head = Array("FUJIFILMCCD-RAW 0201FF389501X-T4".utf8)
        let place = 148
        let start = head + [UInt8](repeating: 0, count: 84 - head.count) + big(place, 4) + big(jpeg.count, 4)
        let sensor = [UInt8](repeating: 0x55, count: 500)
        return start + [UInt8](repeating: 0, count: place - start.count) + jpeg + sensor
    }

    /// Returns a RAW file of Panasonic, with the whole JPEG in the tag 0x002E, and a larger JPEG, if any, in
    /// the tag 0x0127.
    public static func rw2(_ jpeg: [UInt8], larger: [UInt8]? = nil, orientation: UInt16) -> [UInt8] {
        let main = [
            SampleEntry(0x0001, .bytes(kind: 7, Array("0310".utf8))),
            SampleEntry(0x002E, .bytes(kind: 7, jpeg)), SampleEntry(0x0112, .short(orientation)),
        ]
        let second = larger.map { [SampleEntry(0x0127, .bytes(kind: 7, $0))] } ?? []
        var bytes = SampleTIFF.block([SampleDirectory(main + second)])
        bytes[2] = 0x55
        return bytes
    }

    /// Returns a RAW file of Olympus, with a preview in the camera settings of the maker note.
    public static func orf(_ jpeg: [UInt8]) -> [UInt8] {
        // Offsets are relative to the start of the maker note: head, directory, settings, JPEG.
        let bytes = SampleTIFF.littleEndian
        let (directory, settings) = (12, 12 + 2 + 12 + 4)
        let place = settings + 2 + 2 * 12 + 4
        var note = Array("OLYMPUS\0II".utf8) + [3, 0]
        let entry = { (tag: UInt32, kind: UInt32, value: Int) -> [UInt8] in
            [bytes(tag, 2), bytes(kind, 2), bytes(1, 4), bytes(UInt32(value), 4)].flatMap(\.self)
        }
        note += bytes(1, 2) + entry(0x2020, 13, settings) + bytes(0, 4)
        note += bytes(2, 2) + entry(0x0101, 4, place) + entry(0x0102, 4, jpeg.count) + bytes(0, 4)
        precondition(note.count == place && directory == 12)
        let exif = SampleDirectory([SampleEntry(0x927C, .bytes(kind: 7, note + jpeg))])
        var file = SampleTIFF.block([SampleDirectory([SampleEntry(0x8769, .directories([exif]))])])
        file.replaceSubrange(2..<4, with: "RO".utf8)
        return file
    }
}
