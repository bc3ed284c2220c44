import Foundation

@testable import FrameFastModel
@testable import PictureWorker

extension FuzzTarget {
    /// A file in which pictures are looked for: what is found lies in it.
    static func pictures(_ bytes: [UInt8]) {
        let file = BlockBytes(block: bytes)
        for picture in EmbeddedPicture.all(in: file).pictures {
            let isInside = picture.offset <= file.count && picture.count <= file.count - picture.offset
            precondition(
                isInside && picture.width > 0 && picture.height > 0, "\(picture) in \(file.count) bytes")
        }
    }

    /// Most bytes that a reader may ask for at once: a segment of a JPEG, a list of a TIFF's offsets, an XMP packet.
    private static let readBytesMax = 1 << 20
    /// Most questions for one file. A JPEG's segments are walked up to 100,000.
    private static let readsMax = 200_000

    /// One extension of each reader; what is not there has no rule.
    private static let extensions = ["jpg", "nef", "cr3", "raf", "mov", "dng", "tif", "xyz"]

    /// An extension, how much larger the file is than what follows (the rest reads as zeros), and its bytes.
    static func structure(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let name = "DSC_0001." + extensions[Int(input.byte()) % extensions.count]
        let file = SparseFile(&input)
        _ = StructureCheck.verdict(name: name, size: file.size, read: file.read)
    }

    static func rating(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let file = SparseFile(&input)
        let stars = RatingReader.rating(size: file.size, read: file.read)
        precondition(stars.map { (-1...5).contains($0) } ?? true, "\(stars ?? 0) stars")
        let exif = ExifReader.exif(size: file.size, read: file.read)
        let texts = [exif?.shutterText, exif?.apertureText, exif?.focalLengthText, exif?.lens]
        precondition(texts.allSatisfy { $0?.isEmpty != true }, "an empty text")
    }

    /// A file with a known beginning and zeros behind it, which counts what is asked of it.
    private final class SparseFile {
        let size: UInt64
        private let bytes: [UInt8]
        private var reads = 0

        init(_ input: inout FuzzInput) {
            let more: [UInt64] = [0, 0, 0, 1 << 16, 1 << 33, 1 << 62]
            let extra = more[Int(input.byte()) % more.count]
            bytes = input.all()
            size = UInt64(bytes.count) + extra
        }

        func read(_ offset: UInt64, _ count: Int) -> [UInt8] {
            reads += 1
            precondition(count >= 0 && count <= FuzzTarget.readBytesMax, "asks for \(count) bytes at once")
            precondition(reads <= FuzzTarget.readsMax, "never stops asking")
            guard offset < size else { return [] }
            let present = Int(min(UInt64(count), size - offset))
            guard offset < UInt64(bytes.count) else { return [UInt8](repeating: 0, count: present) }
            let known = bytes[Int(offset)..<min(Int(offset) + present, bytes.count)]
            return known + [UInt8](repeating: 0, count: present - known.count)
        }
    }

    /// A name or template.
    static func names(_ bytes: [UInt8]) {
        let text = bytes.asText
        let name = SafeName.component(text)
        precondition(!name.isEmpty && name.utf8.count <= SafeName.maximumBytes, "a name of no length")
        precondition(
            !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 }, "leaves its folder: \(name)")
        precondition(![".", "-", "~"].contains { name.utf8.starts(with: $0.utf8) }, "hides: \(name)")
        let parts = SafeName.split(text)
        precondition(parts.ext.isEmpty || "\(parts.stem).\(parts.ext)" == text, "does not add up: \(text)")
        precondition(SafeName.cut(text, toBytes: 10).utf8.count <= 10, "not cut: \(text)")
        if let template = try? NamingTemplate(text) {
            let record = CaptureRecord(
                id: 1, bodyID: "a", object: CameraObject(folder: "", name: text, size: 1, cameraTime: 0),
                state: .saved, sessionID: 1, detectedAt: .distantPast)
            let photo = Photo(
                record,
                camera: PhotoCamera(
                    id: "a", name: text, maker: text, model: text, serial: text, zone: .gmt),
                session: PhotoSession(id: 1, name: text))
            let path = template.path(for: photo, counter: 7)
            let folders = path.split(separator: "/", omittingEmptySubsequences: false)
            precondition(!folders.contains { $0.isEmpty || $0.utf8.starts(with: ".".utf8) }, "hides: \(path)")
        }
        _ = UploadSchedule.Window(text)
        _ = RetentionRule(text)
    }
}
