import APIClient
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Testing

@testable import APIServer

@Suite struct ServedTests {
    @Test func `serves the client's calls for cameras, captures and sessions`() async throws {
        try await RunningServer.run { server in
            server.surface.change {
                $0.captures = [Samples.capture(3), Samples.capture(2), Samples.capture(1)]
                $0.status.conditions = [Samples.condition]
            }
            let client = FrameFastClient(socketPath: server.socketPath)
            try await blocking {
                #expect(
                    try client.call(\.service.version).value == VersionReply(version: "9.8.7", apiVersion: 1))
                #expect(try client.call(\.service.status).value.cameras == [Samples.camera])
                #expect(try client.call(\.service.conditions).value.conditions == [Samples.condition])
                #expect(try client.call(\.cameras.list).value.cameras == [Samples.camera])
                #expect(try client.call(\.cameras.get, "studio-a").value == Samples.camera)
                #expect(try client.call(\.captures.get, 2).value == Samples.capture(2))
                let page = try client.call(\.captures.list, .init(limit: 2)).value
                #expect(page.captures.map(\.id) == [3, 2])
                let rest = try client.call(\.captures.list, .init(limit: 2, cursor: page.nextCursor)).value
                #expect(rest.captures.map(\.id) == [1])
                #expect(rest.nextCursor == nil)
                #expect(try client.call(\.sessions.list, .init()).value.sessions == [Samples.session])
                #expect(try client.call(\.sessions.start, .init(name: " Night ")).value.name == "Night")
                #expect(try client.call(\.sessions.stop).value.name == "Night")
                #expect(try client.trigger(camera: "studio-a").value.triggered == ["studio-a"])
                #expect(try client.trigger().value.triggered == ["studio-a"])
                #expect(
                    try client.call(\.sessions.testTemplate, .init(template: "{ext}", count: 2)).value.names
                        == ["{ext}-1", "{ext}-2"])
                #expect(try client.text(of: \.service.openapi) == Data(OpenAPIDocument.text().utf8))
            }
        }
    }

    @Test func `serves the client's calls for uploads, destinations and storage`() async throws {
        try await RunningServer.run { server in
            server.surface.change { $0.captures = [Samples.capture(2), Samples.capture(1)] }
            let client = FrameFastClient(socketPath: server.socketPath)
            try await blocking {
                #expect(try client.call(\.destinations.list).value.destinations == Samples.destinations)
                #expect(try client.call(\.destinations.test, "agency").value == Samples.destinationTest)
                #expect(try client.pauseDestination("nas", true).value.state == .paused)
                #expect(try client.pauseDestination("nas", false).value.state == .ready)
                #expect(try client.pauseUploads(true).value.destinations.allSatisfy { $0.state == .paused })
                #expect(try client.pauseUploads(false).value.destinations.allSatisfy { $0.state == .ready })
                let page = try client.call(\.uploads.list, .init(limit: 5)).value
                #expect(page.jobs == Array(Samples.jobs.prefix(5)))
                let rest = try client.call(\.uploads.list, .init(limit: 5, cursor: page.nextCursor)).value
                #expect(rest.jobs.map(\.id) == [2, 1] && rest.nextCursor == nil)
                let open = try client.call(\.uploads.list, .init(states: [.held, .failed])).value
                #expect(open.jobs.map(\.id) == [7, 1])
                #expect(try client.call(\.uploads.retry, .init(destination: "agency")).value.changed == 2)
                #expect(try client.call(\.uploads.hold, .init(ids: [6])).value.changed == 1)
                #expect(try client.call(\.uploads.release, .init(session: 1)).value.changed == 2)
                #expect(try client.call(\.uploads.drop, .init(all: true, dryRun: true)).value.changed == 6)
                #expect(try client.call(\.uploads.drop, .init(all: true)).value.changed == 6)
                #expect(try client.call(\.uploads.add, .init(to: "nas", session: 1)).value.changed == 2)
                #expect(try client.call(\.uploads.mode).value == Samples.mode)
                #expect(
                    try client.call(\.uploads.setMode, .init(mode: .rated, threshold: 3)).value.threshold == 3
                )
                #expect(try client.call(\.storage.summary).value == Samples.storage)
                let cleared = try client.call(\.storage.clear, .init(session: 1, olderThanSeconds: 5)).value
                #expect(cleared.files == 160)
                #expect(try client.call(\.storage.adopt).value == Samples.status.disk)
                #expect(try client.call(\.sessions.keep, 1, .init(keep: "7 d")).value.keep == "7 d")
                #expect(
                    try client.call(\.sessions.start, .init(name: "x", keep: "forever")).value.keep
                        == "forever")
            }
        }
    }

    @Test func `client receives code, message and next step of an error`() async throws {
        try await RunningServer.run { server in
            let client = FrameFastClient(socketPath: server.socketPath)
            server.surface.change { $0.failure = ControlError(.conflict, "cannot", nextStep: "Do that.") }
            let detail = ErrorReply.Detail(code: .conflict, message: "cannot", nextStep: "Do that.")
            await #expect(throws: ClientError.refused(detail)) {
                try await blocking { try client.call(\.service.status) }
            }
        }
    }

    struct InvalidRequest: Sendable, CustomTestStringConvertible {
        var request: String
        var status: Int
        var code: ErrorReply.Code
        var testDescription: String { String(request.prefix(60)) }
    }

    private static func post(_ path: String, _ body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: f\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func get(_ path: String, method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: f\r\nConnection: close\r\n\r\n"
    }

    static let invalidRequests = [
        InvalidRequest(request: get("/v1/nothing"), status: 404, code: .notFound),
        InvalidRequest(request: get("/v1/cameras/who"), status: 404, code: .notFound),
        InvalidRequest(request: get("/v1/captures/abc"), status: 404, code: .notFound),
        InvalidRequest(request: get("/v1/status", method: "DELETE"), status: 405, code: .wrongMethod),
        InvalidRequest(request: get("/v1/captures?limit=5000"), status: 400, code: .badRequest),
        InvalidRequest(request: get("/v1/status?verbose=1"), status: 400, code: .badRequest),
        InvalidRequest(request: get("/v1/uploads?state=lost"), status: 400, code: .badRequest),
        InvalidRequest(request: post("/v1/uploads/drop", "{}"), status: 422, code: .invalid),
        InvalidRequest(request: post("/v1/uploads/drop", #"{"ids":[]}"#), status: 422, code: .invalid),
        InvalidRequest(request: post("/v1/uploads/retry", #"{"state":"lost"}"#), status: 422, code: .invalid),
        InvalidRequest(request: post("/v1/uploads/add", #"{"to":"nas"}"#), status: 422, code: .invalid),
        InvalidRequest(request: post("/v1/uploads/add", #"{"session":1}"#), status: 400, code: .badRequest),
        InvalidRequest(request: post("/v1/destinations/who/pause", ""), status: 404, code: .notFound),
        InvalidRequest(request: post("/v1/mode", #"{"mode":"turbo"}"#), status: 422, code: .invalid),
        InvalidRequest(
            request: post("/v1/storage/clear", #"{"delivered":false}"#), status: 422, code: .invalid),
        // If the server ignored the misspelled field, the request would change more than the client intends.
        InvalidRequest(
            request: post("/v1/storage/clear", #"{"delivered":true,"dry-run":true}"#), status: 400,
            code: .badRequest),
        InvalidRequest(
            request: post("/v1/uploads/drop", #"{"destination":"nas","sesion":1}"#), status: 400,
            code: .badRequest),
        InvalidRequest(request: post("/v1/sessions", ""), status: 400, code: .badRequest),
        InvalidRequest(request: post("/v1/sessions", "{"), status: 400, code: .badRequest),
        InvalidRequest(request: post("/v1/sessions", "{}"), status: 400, code: .badRequest),
        InvalidRequest(request: post("/v1/sessions", #"{"name":5}"#), status: 400, code: .badRequest),
        InvalidRequest(request: post("/v1/sessions", #"{"name":"  "}"#), status: 422, code: .invalid),
        InvalidRequest(
            request: post("/v1/sessions", #"{"name":"\#(String(repeating: "n", count: 121))"}"#), status: 422,
            code: .invalid),
        InvalidRequest(
            request: post("/v1/sessions", String(repeating: " ", count: 20_000)), status: 413, code: .tooLong),
        InvalidRequest(
            request: post("/v1/template/test", #"{"template":"x","count":0}"#), status: 422, code: .invalid),
    ]

    @Test(arguments: invalidRequests)
    func `returns an error code and a status for an invalid request`(invalid: InvalidRequest) async throws {
        try await RunningServer.run { server in
            let text = try await blocking { try RawSocket.exchange(server.socketPath, invalid.request) }
            #expect(text.hasPrefix("HTTP/1.1 \(invalid.status) "))
            let body = try #require(text.range(of: "\r\n\r\n").map { text[$0.upperBound...] })
            let reply = try WireCoder.decode(ErrorReply.self, from: Data(body.utf8))
            #expect(reply.error.code == invalid.code)
            #expect(reply.error.message.hasPrefix("cannot"))
            #expect(invalid.code.httpStatus == invalid.status)
        }
    }

    @Test func `names an unknown field of a body and the fields that the path accepts`() async throws {
        try await RunningServer.run { server in
            let request = Self.post("/v1/storage/clear", #"{"delivered":true,"dry-run":true}"#)
            let text = try await blocking { try RawSocket.exchange(server.socketPath, request) }
            #expect(text.contains("unknown field 'dry-run', this path takes delivered, "))
        }
    }

    @Test func `serves the next client after invalid bytes`() async throws {
        try await RunningServer.run { server in
            for noise in ["\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", String(repeating: "A", count: 100_000)] {
                _ = try? await blocking { try RawSocket.exchange(server.socketPath, noise) }
            }
            let client = FrameFastClient(socketPath: server.socketPath)
            let version = try await blocking { try client.call(\.service.version).value.version }
            #expect(version == "9.8.7")
        }
    }
}

/// A raw socket client, which can send requests that ``FrameFastClient`` would refuse to send.
enum RawSocket {
    static func exchange(_ path: String, _ request: String) throws -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        try #require(result == 0)
        let bytes = Array(request.utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        shutdown(descriptor, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
