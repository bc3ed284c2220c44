/// The files that an EOS writes for a shot (0xD120), in packed form with one entry for each file.
struct CanonImageFormat: Hashable, Sendable {
    /// One file of a shot.
    struct File: Hashable, Sendable {
        /// 1 for a JPEG, 6 for a raw file.
        var kind: UInt32
        /// 0 large, 1 medium, 2 small, 14 S1.
        var size: UInt32
        /// 2 normal, 3 fine, 4 lossless.
        var compression: UInt32

        static let raw = File(kind: 6, size: 0, compression: 4)
        static let largeFine = File(kind: 1, size: 0, compression: 3)
    }

    /// One or two files. A raw file comes first.
    var files: [File]

    init(_ files: File...) { self.files = files }

    /// Parses the packed form (libgphoto2: ptp_unpack_EOS_ImageFormat), or returns `nil` for anything else.
    init?(from reader: inout ByteReader) {
        guard let count = reader.u32(), (1...2).contains(count) else { return nil }
        files = []
        for _ in 0..<count {
            guard reader.u32() == Self.entryBytes, let kind = reader.u32(), let size = reader.u32(),
                let compression = reader.u32()
            else { return nil }
            files.append(File(kind: kind, size: size, compression: compression))
        }
    }

    /// The size of an entry, in bytes. The first field of each entry contains this size.
    private static let entryBytes: UInt32 = 16

    func write(to out: inout ByteWriter) {
        out.u32(UInt32(files.count))
        for file in files {
            for value in [Self.entryBytes, file.kind, file.size, file.compression] { out.u32(value) }
        }
    }

    /// The kinds of files of a shot.
    var recording: Recording {
        let kinds = Set(files.map(\.kind))
        return kinds.count == 2 ? .pair : kinds.contains(File.raw.kind) ? .raw : .jpeg
    }

    init(_ recording: Recording) {
        switch recording {
        case .jpeg: self.init(File.largeFine)
        case .raw: self.init(File.raw)
        case .pair: self.init(File.raw, File.largeFine)
        }
    }
}
