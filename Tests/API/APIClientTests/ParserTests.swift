import FrameFastAPI
import Testing

@testable import APIClient

@Suite struct ParserTests {
    struct Response: Sendable, CustomTestStringConvertible {
        var text: String
        var status: Int
        var body: String
        var trailers: [String: String] = [:]
        var testDescription: String { text.debugDescription }
    }

    static let responses = [
        Response(text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", status: 200, body: "hello"),
        Response(text: "HTTP/1.1 201 Created\r\ncontent-length:0\r\n\r\n", status: 201, body: ""),
        Response(
            text:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n",
            status: 200, body: "hello world"),
        Response(
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nTrailer: x\r\n\r\n",
            status: 200, body: "a", trailers: ["trailer": "x"]),
        Response(
            text: "HTTP/1.0 404 Not Found\r\nA: b\r\n\r\nup to the end", status: 404, body: "up to the end"),
    ]

    @Test(arguments: responses, [1, 2, 3, 7, 1000])
    func `parses a response fed in chunks of any size`(response: Response, size: Int) throws {
        var parser = ResponseParser()
        var parts: [ResponseParser.Part] = []
        var rest = Array(response.text.utf8)[...]
        while !rest.isEmpty {
            parts += try parser.feed(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        var body: [UInt8] = []
        var statuses: [Int] = []
        for part in parts {
            switch part {
            case .head(let head): statuses.append(head.status)
            case .body(let bytes): body += bytes
            case .end(let trailers): #expect(trailers == response.trailers)
            }
        }
        #expect(statuses == [response.status])
        #expect(String(decoding: body, as: UTF8.self) == response.body)
        let isComplete = parser.finish()
        #expect(isComplete)
    }

    @Test(arguments: [
        ("HTTP/2 200\r\n\r\n", ResponseParser.Failure.badStatusLine("HTTP/2 200")),
        ("SSH-2.0-OpenSSH\r\n\r\n", .badStatusLine("SSH-2.0-OpenSSH")),
        ("HTTP/1.1 abc\r\n\r\n", .badStatusLine("HTTP/1.1 abc")),
        ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", .badHeader),
        ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", .badLength),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", .badChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", .badChunk),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "0", count: 100),
            .badChunk
        ),
        (String(repeating: "x", count: 20_000), .headTooLong),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nno colon\r\n\r\n", .badHeader),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
                + String(repeating: "a: b\r\n", count: 5_000), .headTooLong
        ),
    ])
    func `throws for a malformed response`(text: String, failure: ResponseParser.Failure) {
        #expect(throws: failure) {
            var parser = ResponseParser()
            _ = try parser.feed(Array(text.utf8))
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ])
    func `reports a truncated response as incomplete`(text: String) throws {
        var parser = ResponseParser()
        _ = try parser.feed(Array(text.utf8))
        let isComplete = parser.finish()
        #expect(!isComplete)
    }

    static let streams: [(text: String, events: [ServerSentEvent])] = [
        ("id: 1\nevent: camera\ndata: {}\n\n", [.init(id: "1", name: "camera", data: "{}")]),
        ("data: a\r\ndata: b\r\n\r\n", [.init(data: "a\nb")]),
        ("data: a\rdata:b\r\rdata: c\n\n", [.init(data: "a\nb"), .init(data: "c")]),
        (": heartbeat\n\n:\n\ndata: x\n\n", [.init(data: "x")]),
        ("event: lonely\n\n", []),
        ("data: cut short\n", []),
        ("unknown: y\ndata\n\n", [.init(data: "")]),
    ]

    @Test(arguments: streams, [1, 2, 5, 1000])
    func `parses server-sent events fed in chunks of any size`(
        stream: (text: String, events: [ServerSentEvent]), size: Int
    ) throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        var rest = Array(stream.text.utf8)[...]
        while !rest.isEmpty {
            events += try parser.feed(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(events == stream.events)
    }

    @Test func `encodes method, query, headers and body of a request`() {
        let bytes = EncodedRequest.bytes(
            method: "POST", path: "/v1/x", query: [("camera", "a b"), ("n", "1")], body: Array("{}".utf8))
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "POST /v1/x?camera=a%20b&n=1 HTTP/1.1\r\nHost: framefast\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
    }

    @Test func `percent-encodes the parameter in the path`() {
        let endpoints = Endpoints.catalog
        #expect(endpoints.cameras.trigger.row.path("a/b") == "/v1/cameras/a%2Fb/trigger")
        #expect(endpoints.service.status.row.path("") == "/v1/status")
    }

    @Test func `distinguishes a missing socket from a path that is too long`() {
        #expect(throws: ClientError.unreachable(path: "/nonexistent/f.sock", .noSocket)) {
            _ = try FrameFastClient(socketPath: "/nonexistent/f.sock").call(\.service.version)
        }
        let long = "/" + String(repeating: "x", count: 107)
        #expect(throws: ClientError.unreachable(path: long, .unusable("the path is longer than 107 bytes"))) {
            _ = try FrameFastClient(socketPath: long).call(\.service.version)
        }
    }
}
