import Foundation
import PictureProtocol
import PreviewFormats

@testable import FrameFastModel

extension FuzzTarget {
    /// The most bytes that a reader may request in one call, for example a JPEG segment, a TIFF's list of
    /// offsets or an XMP packet.
    private static let readBytesMax = 1 << 20
    /// The most reads for one file. A reader follows up to 100,000 segments of a JPEG.
    private static let readsMax = 200_000

    /// One file extension for each reader, and one extension without a reader.
    private static let extensions = ["jpg", "nef", "cr3", "raf", "mov", "dng", "tif", "xyz"]

    /// Checks the structure of a file. The input has a byte for the file's extension, a byte for the number
    /// of zeros at the file's end, and the file's other bytes.
    static func structure(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let name = "DSC_0001." + extensions[Int(input.byte()) % extensions.count]
        let file = SparseFile(&input)
        _ = StructureCheck.check(name: name, size: file.size, read: file.read)
    }

    static func rating(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let file = SparseFile(&input)
        let stars = RatingReader.rating(size: file.size, read: file.read)
        precondition(stars.map { (-1...5).contains($0) } ?? true, "\(stars ?? 0) stars")
    }

    /// Finds the JPEGs in a file. The input has a byte for the number of zeros at the file's end, and the
    /// file's other bytes.
    static func previews(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let file = SparseFile(&input)
        let found = PreviewFinder.find(size: file.size, read: file.read)
        precondition(found.sources.count <= PreviewFinder.visitsMax, "visits too many places")
        for source in found.sources {
            precondition(source.range.upperBound <= file.size, "a range beyond the file: \(source)")
            precondition((1...8).contains(source.orientation), "an orientation of \(source.orientation)")
            precondition(source.width > 0 && source.height > 0, "an empty picture: \(source)")
            if case .profile(let ranges) = source.colorSpace {
                precondition(
                    ranges.allSatisfy { $0.upperBound <= file.size }, "a range beyond the file: \(source)")
            }
        }
        precondition(found.sorted(forSide: 1_000).count == found.sources.count, "sorting loses a picture")
    }

    /// Decodes a request and a result, which must not change when they are encoded and decoded again.
    static func pictures(_ bytes: [UInt8]) {
        if let request = PictureRequest(bytes: bytes) {
            precondition(
                PictureRequest(bytes: request.encode()) == request,
                "the request changes when it is encoded: \(request)")
        }
        // An input of the fuzzer may be shorter than a result. Zeros replace the missing bytes.
        let missing = max(0, PictureResult.byteCount - bytes.count)
        if let result = PictureResult(bytes: bytes + [UInt8](repeating: 0, count: missing)) {
            precondition(
                PictureResult(bytes: result.encode()) == result, "the result changes when it is encoded")
            precondition(max(result.width, result.height) <= PictureLimits.sideMax, "too large")
        }
    }

    /// A file with known first bytes, followed by zeros. The file counts and limits the reads.
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
            precondition(count >= 0 && count <= FuzzTarget.readBytesMax, "reads \(count) bytes at once")
            precondition(reads <= FuzzTarget.readsMax, "too many reads")
            guard offset < size else { return [] }
            let present = Int(min(UInt64(count), size - offset))
            guard offset < UInt64(bytes.count) else { return [UInt8](repeating: 0, count: present) }
            let known = bytes[Int(offset)..<min(Int(offset) + present, bytes.count)]
            return known + [UInt8](repeating: 0, count: present - known.count)
        }
    }

    /// Parses the input as an object name, a naming template, an upload window and a retention rule.
    static func names(_ bytes: [UInt8]) {
        let text = bytes.asText
        let name = SafeName.component(text)
        precondition(
            !name.isEmpty && name.utf8.count <= SafeName.maximumBytes, "a name that is empty or too long")
        precondition(
            !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 },
            "a name with a slash or a control character: \(name)")
        precondition(
            ![".", "-", "~"].contains { name.utf8.starts(with: $0.utf8) },
            "a hidden file or an option: \(name)")
        let parts = SafeName.split(text)
        precondition(
            parts.ext.isEmpty || "\(parts.stem).\(parts.ext)" == text,
            "stem and extension are not the text: \(text)")
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
