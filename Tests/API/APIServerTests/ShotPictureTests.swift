import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import Testing

@testable import APIServer

/// Tests of pictures of shots on the socket.
@Suite struct ShotPictureTests {
    private static let picture = Array("the picture".utf8)

    /// A surface that serves one picture as thumbnail and in full, and counts how often it loads the picture.
    private final class PictureSurface: Sendable {
        let loads = Mutex(0)

        var surface: ScriptedControlSurface {
            ScriptedControlSurface { [self] table in
                table.handle(\.shots.thumbnail) { id, query throws(ControlError) in
                    try self.picture(id, query, .bytes(ShotPictureTests.picture))
                }
                table.handle(\.shots.full) { id, query throws(ControlError) in
                    let bytes = ShotPictureTests.picture
                    let read: @Sendable (Int, Int) async throws -> [UInt8] = { offset, countMax in
                        Array(bytes[offset...].prefix(min(4, countMax)))
                    }
                    return try self.picture(id, query, .file(length: bytes.count, read: read))
                }
            }
        }

        private func picture(
            _ id: ShotID, _ query: ShotPictureQuery, _ body: ShotPicture.Content.Body
        ) throws(ControlError) -> ShotPicture {
            guard id == 7 else { throw ControlError(.notFound, "there is no preview of shot \(id)") }
            return ShotPicture(revision: "00ff", requestedRevision: query.v) { () throws(ControlError) in
                self.loads.withLock { $0 += 1 }
                return ShotPicture.Content(revision: "00ff", body: body)
            }
        }
    }

    private static func get(_ path: String, _ headers: [String] = []) -> String {
        (["GET \(path) HTTP/1.1", "Host: f", "Connection: close"] + headers).joined(separator: "\r\n")
            + "\r\n\r\n"
    }

    @Test(arguments: ["512", "full"])
    func `returns a JPEG with its revision as ETag`(form: String) async throws {
        let pictures = PictureSurface()
        try await RunningServer.run(surface: pictures.surface) { server in
            let text = try await blocking {
                try RawSocket.exchange(server.socketPath, Self.get("/v1/shots/7/\(form)?v=00ff"))
            }
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("\r\n\r\nthe picture"), "\(text)")
            let head = text.lowercased()
            #expect(head.contains("\r\ncontent-type: image/jpeg\r\n"))
            #expect(head.contains("\r\ncontent-length: \(Self.picture.count)\r\n"))
            #expect(head.contains("\r\netag: \"00ff\"\r\n"))
            #expect(head.contains("\r\ncache-control: private, max-age=31536000, immutable\r\n"))
        }
    }

    @Test func `returns 304 without loading a picture that the client has`() async throws {
        let pictures = PictureSurface()
        try await RunningServer.run(surface: pictures.surface) { server in
            let text = try await blocking {
                try RawSocket.exchange(
                    server.socketPath, Self.get("/v1/shots/7/512", [#"If-None-Match: "00ff""#]))
            }
            #expect(text.hasPrefix("HTTP/1.1 304 ") && text.hasSuffix("\r\n\r\n"), "\(text)")
            let head = text.lowercased()
            #expect(head.contains("\r\netag: \"00ff\"\r\n") && !head.contains("content-type"))
            #expect(head.contains("\r\ncache-control: private, no-cache\r\n"))
            #expect(pictures.loads.withLock(\.self) == 0)
            let other = try await blocking {
                try RawSocket.exchange(
                    server.socketPath, Self.get("/v1/shots/7/512", [#"If-None-Match: "1234""#]))
            }
            #expect(other.hasPrefix("HTTP/1.1 200 "), "\(other)")
            #expect(pictures.loads.withLock(\.self) == 1)
        }
    }

    @Test(arguments: [
        ("/v1/shots/8/512", "404 "), ("/v1/shots/x/512", "404 "), ("/v1/shots/7/513", "404 "),
        ("/v1/shots/7/512?w=1", "400 "),
    ])
    func `returns a JSON error for an unknown shot, form or parameter`(
        path: String, status: String
    ) async throws {
        try await RunningServer.run(surface: PictureSurface().surface) { server in
            let text = try await blocking { try RawSocket.exchange(server.socketPath, Self.get(path)) }
            #expect(text.hasPrefix("HTTP/1.1 " + status) && text.contains(#"{"error":"#), "\(text)")
        }
    }

    @Test(
        arguments: [
            (["Range: bytes=4-6"], "206 ", "bytes 4-6/11", "pic"),
            (["Range: bytes=4-", #"If-Range: "00ff""#], "206 ", "bytes 4-10/11", "picture"),
            (["Range: bytes=-4"], "206 ", "bytes 7-10/11", "ture"),
            (["Range: bytes=11-"], "416 ", "bytes */11", ""),
            (["Range: bytes=4-6", #"If-Range: "1234""#], "200 ", nil, "the picture"),
            (["Range: bytes=0-1,4-6"], "200 ", nil, "the picture"),
        ] as [([String], String, String?, String)])
    func `returns one range of bytes, the whole picture, or 416`(
        headers: [String], status: String, range: String?, body: String
    ) async throws {
        try await RunningServer.run(surface: PictureSurface().surface) { server in
            for form in ["512", "full"] {
                let text = try await blocking {
                    try RawSocket.exchange(server.socketPath, Self.get("/v1/shots/7/\(form)", headers))
                }
                let head = text.lowercased()
                #expect(text.hasPrefix("HTTP/1.1 " + status) && text.hasSuffix("\r\n\r\n" + body), "\(text)")
                #expect(head.contains("\r\ncontent-length: \(body.utf8.count)\r\n"))
                #expect(
                    head.contains("\r\netag: \"00ff\"\r\n") && head.contains("\r\naccept-ranges: bytes\r\n"))
                let expected = range.map { "\r\ncontent-range: \($0)\r\n" }
                #expect(expected.map { head.contains($0) } ?? !head.contains("content-range"), "\(text)")
            }
        }
    }

    @Test(
        arguments: [
            (nil, nil, 10, .all), ("bytes=0-0", nil, 10, .part(0..<1)), ("bytes=9-", nil, 10, .part(9..<10)),
            ("BYTES=2-99", nil, 10, .part(2..<10)), ("bytes=-99", nil, 10, .part(0..<10)),
            ("bytes=10-", nil, 10, .outside), ("bytes=-0", nil, 10, .outside), ("bytes=0-", nil, 0, .outside),
            ("bytes=-1", nil, 0, .outside),
            ("bytes=99999999999999999999-", nil, 10, .outside),
            ("bytes=1-99999999999999999999", nil, 10, .part(1..<10)),
            ("bytes=5-4", nil, 10, .all), ("bytes=-", nil, 10, .all), ("bytes=+1-2", nil, 10, .all),
            ("bytes=1", nil, 10, .all), ("bytes=1-2-3", nil, 10, .all), ("bytes=1-2,4-5", nil, 10, .all),
            ("items=1-2", nil, 10, .all), ("bytes", nil, 10, .all), ("", nil, 10, .all),
            ("bytes=1-2", #""00ff""#, 10, .part(1..<3)), ("bytes=1-2", #"W/"00ff""#, 10, .all),
            ("bytes=1-2", "Wed, 21 Oct 2015 07:28:00 GMT", 10, .all),
        ] as [(String?, String?, Int, RequestedBytes)])
    func `parses Range and If-Range, and ignores a malformed range`(
        range: String?, ifRange: String?, length: Int, bytes: RequestedBytes
    ) {
        let read = RequestedBytes(
            range: range, ifRange: ifRange, entityTag: ShotPicture.entityTag("00ff"), length: length)
        #expect(read == bytes)
    }

    @Test func `every picture of a shot requires control`() {
        for row in Endpoints.rows where row.path.hasPrefix("/v1/shots/{id}/") && row.method == .get {
            #expect(row.access == .control, "\(row.path)")
        }
    }

    @Test(
        arguments: [
            (nil, false), ("*", true), (#""00ff""#, true), (#"W/"00ff""#, true), (#""1", "00ff""#, true),
            (#""00f""#, false), ("00ff", false), ("", false),
        ] as [(String?, Bool)])
    func `compares If-None-Match with the revision`(header: String?, isKnown: Bool) {
        let picture = ShotPicture(revision: "00ff", requestedRevision: nil) { () throws(ControlError) in
            ShotPicture.Content(revision: "00ff", body: .bytes([]))
        }
        #expect(picture.isKnown(ifNoneMatch: header) == isKnown)
    }
}
