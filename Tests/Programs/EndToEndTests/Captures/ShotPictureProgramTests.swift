import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of pictures of shots through the whole chain: camera, service, picture worker.
@Suite(.programs(3)) struct ShotPictureProgramTests {
    /// A response of the service.
    private struct Response {
        var status: Int
        /// The header fields, with names in lower case.
        var fields: [String: String]
        var body: Data

        /// Whether the body is a complete JPEG.
        var isJPEG: Bool {
            body.starts(with: [0xFF, 0xD8]) && body.suffix(2).elementsEqual([0xFF, 0xD9])
        }

        /// The size in the frame header of a baseline JPEG (SOF0), or `nil` without this header.
        var size: [Int]? {
            guard let start = body.range(of: Data([0xFF, 0xC0]))?.upperBound, start + 7 <= body.endIndex
            else {
                return nil
            }
            let numbers = body[(start + 3)..<(start + 7)].map { Int($0) }
            return [numbers[2] << 8 | numbers[3], numbers[0] << 8 | numbers[1]]
        }
    }

    private func get(_ rig: DaemonRig, _ path: String, _ headers: [String] = []) throws -> Response {
        let (status, answer) = try MetricsReader.run(
            MetricsReader.curl,
            ["-s", "--include", "--unix-socket", rig.socket, "http://localhost" + path]
                + headers.flatMap { ["--header", $0] })
        #expect(status == 0)
        let end = try #require(answer.range(of: Data("\r\n\r\n".utf8)))
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let code = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2
                ? (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)) : nil
        }
        return Response(
            status: code, fields: Dictionary(fields) { $1 }, body: Data(answer[end.upperBound...]))
    }

    /// Returns a gray JPEG. Width and height must be multiples of 8.
    ///
    /// All coefficients are 0. With these Huffman tables, each block is two zero bits: one for the difference
    /// of the DC coefficient, and one for the end of the block.
    static func grayJPEG(width: Int, height: Int) -> Data {
        func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)] + payload
        }
        let size = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let oneCode = [1] + [UInt8](repeating: 0, count: 15) + [0]
        let bits = width / 8 * (height / 8) * 3 * 2
        let scan = [UInt8](repeating: 0, count: bits / 8)
        let bytes: [[UInt8]] = [
            [0xFF, 0xD8], segment(0xDB, [0] + [UInt8](repeating: 8, count: 64)),
            segment(0xC0, [8] + size + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
            segment(0xC4, [0x00] + oneCode), segment(0xC4, [0x10] + oneCode),
            segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]), scan, [0xFF, 0xD9],
        ]
        return Data(bytes.flatMap { $0 })
    }

    /// Starts a service with a camera that takes one gray photo.
    private func start(
        _ folder: ScratchFolder, environment: [String: String] = [:]
    ) async throws -> (camera: Simulator, rig: DaemonRig, shot: ShotID) {
        let photos = folder.path("photos")
        try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
        try Self.grayJPEG(width: 1_200, height: 800).write(to: URL(filePath: photos + "/gray.jpg"))
        let camera = try await Simulator(folder, ["--photos", photos])
        let rig = try DaemonRig(cameras: [("studio", camera.address)], environment: environment)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        let records = try await rig.waitUntilSettled(1)
        return (camera, rig, try #require(records.first?.shotID))
    }

    @Test func `serves a shot's pictures, and 304 for an unchanged picture`() async throws {
        let folder = try ScratchFolder()
        let (camera, rig, shot) = try await start(folder)
        let small = try get(rig, "/v1/shots/\(shot)/512")
        #expect(small.status == 200 && small.isJPEG && small.size == [512, 341])
        #expect(small.fields["content-type"] == "image/jpeg")
        #expect(small.fields["content-length"] == "\(small.body.count)")
        let tag = try #require(small.fields["etag"])
        let again = try get(rig, "/v1/shots/\(shot)/512", ["If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty && again.fields["etag"] == tag)

        let index = try rig.client.call(\.shots.list, ShotsQuery()).value
        #expect(index.widths == [1_200] && index.heights == [800] && index.colors == ["#808080"])
        #expect(index.revisions.map { "\"\($0 ?? "")\"" } == [tag])
        let kept = try get(rig, "/v1/shots/\(shot)/screen?v=\(index.revisions.first.flatMap(\.self) ?? "")")
        #expect(kept.status == 200 && kept.isJPEG && kept.size == [1_200, 800])
        #expect(kept.fields["cache-control"]?.hasSuffix("immutable") == true)
        let histogram = try rig.client.call(\.shots.histogram, shot).value
        #expect(histogram.red.indices.filter { histogram.red[$0] > 0 } == [128])
        #expect(histogram.clippedShadows == 0 && histogram.clippedHighlights == 0)
        let original = try #require(try camera.truth().first)
        let full = try get(rig, "/v1/shots/\(shot)/full")
        let copy = folder.path("full.jpg")
        try full.body.write(to: URL(filePath: copy))
        #expect(try DaemonRig.sha256(ofFile: copy) == original.sha256, "[loss] wrong bytes of the original")
        #expect(try await rig.stop() == 0)

        // A stored picture needs no worker after a restart.
        try await rig.start()
        #expect(try get(rig, "/v1/shots/\(shot)/512").body == small.body)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    @Test func `a photo that crashes the picture worker twice has no preview`() async throws {
        let folder = try ScratchFolder()
        // Each worker sends its ready byte, waits for a request, appends a line to the file, and crashes.
        let program = try Script(
            """
            printf R >&0
            head -c 1 >/dev/null
            echo >>'\(folder.path("workers"))'
            kill -SEGV $$
            """)
        defer { program.remove() }
        let (camera, rig, shot) = try await start(
            folder, environment: ["FRAMEFAST_PICTURE_PROGRAM": program.file.path])
        func workers() throws -> Int {
            try String(contentsOfFile: folder.path("workers"), encoding: .utf8).count
        }
        for _ in 1...2 {
            let answer = try get(rig, "/v1/shots/\(shot)/512")
            #expect(answer.status == 404)
            let error = try WireCoder.decode(ErrorReply.self, from: answer.body).error
            #expect(error.code == .notFound && error.message == "there is no preview of shot \(shot)")
        }
        #expect(try workers() == 2)
        let index = try rig.client.call(\.shots.list, ShotsQuery()).value
        #expect(index.flags.map { ShotFlags(rawValue: $0).contains(.noPreview) } == [true])
        try camera.command("shoot")
        try await rig.waitUntilSaved(2)
        #expect(try await rig.stop() == 0)

        // The ledger has recorded the missing preview, so no worker starts.
        try await rig.start()
        #expect(try get(rig, "/v1/shots/\(shot)/512").status == 404)
        #expect(try workers() == 2)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }
}
