import Foundation
import Glibc

/// An HTTP server on the loopback that takes POSTs and keeps them: a webhook, or an ntfy server.
public final class WebhookServer {
    /// What was sent to it.
    public struct Post: Decodable, Sendable {
        /// The path.
        public var path: String
        /// Header fields, names in lower case.
        public var headers: [String: String]
        /// What was sent.
        public var body: String
    }

    /// How it answers.
    public enum Manner: String, Sendable {
        /// 200.
        case takes
        /// 503.
        case fails
        /// Not at all.
        case hangs
    }

    private static let program = """
        import http.server, json, os, sys, time
        log, manner = sys.argv[2], sys.argv[3]
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
                how = open(manner).read()
                with open(log, "a") as file:
                    headers = {k.lower(): v for k, v in self.headers.items()}
                    file.write(json.dumps({"path": self.path, "headers": headers, "body": body, "manner": how}) + "\\n")
                while how == "hangs":
                    time.sleep(0.05)
                    how = open(manner).read()
                    if how != "hangs": return
                self.send_response(200 if how == "takes" else 503)
                self.end_headers()
                self.wfile.write(b"noted")
            def log_message(self, *_): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
        server.daemon_threads = True
        print("here", flush=True)
        server.serve_forever()
        """

    /// Its address.
    public let url: String
    private let log: String
    private let manner: String
    private let server: RunningProgram

    /// Starts it.
    public init(_ folder: ScratchFolder, _ how: Manner = .takes) async throws {
        let port = try LoopbackPort.free()
        let name = "webhook-\(port)"
        url = "http://127.0.0.1:\(port)/notices"
        (log, manner) = (folder.path(name + ".posts"), folder.path(name + ".manner"))
        let script = folder.path(name + ".py")
        try Data(Self.program.utf8).write(to: URL(filePath: script))
        try Data(how.rawValue.utf8).write(to: URL(filePath: manner))
        server = try RunningProgram(
            URL(filePath: "/usr/bin/python3"), [script, String(port), log, manner],
            log: folder.url.appending(path: name + ".log"))
        let server = server
        try await eventually("a webhook: \(server.output)") { server.output.contains("here") ? () : nil }
    }

    /// Answers otherwise from now on; who was left hanging gets no answer.
    public func answer(_ how: Manner) throws {
        try Data(how.rawValue.utf8).write(to: URL(filePath: manner), options: .atomic)
    }

    /// Everything that was sent to it, in order, also what got no answer.
    public var posts: [Post] {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Post.self, from: Data($0.utf8))
        }
    }
}
