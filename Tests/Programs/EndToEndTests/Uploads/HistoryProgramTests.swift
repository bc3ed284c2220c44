import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// The history of photos after a day of faults, held against the log of the server that they went to.
@Suite(.serialized) struct HistoryProgramTests {
    /// Takes photos by PUT, with a plan of what it does to each request in turn, and writes down what it did.
    private static let server = """
        import http.server, socket, sys, threading
        port, log, plan = int(sys.argv[1]), sys.argv[2], sys.argv[3].split(",")
        lock, count = threading.Lock(), 0

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_PUT(self):
                global count
                name, what = self.path.split("/")[-1], "201"
                isTrial = name.startswith(".framefast-trial")
                with lock:
                    if not isTrial:
                        what = plan[count] if count < len(plan) else "201"
                        count += 1
                if what != "hang":
                    self.rfile.read(int(self.headers["Content-Length"]))
                if not isTrial:
                    with open(log, "a") as file:
                        file.write(name + " " + what + "\\n")
                if what == "hang":
                    while self.connection.recv(65536):
                        pass
                if what in ("drop", "hang"):
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response(int(what))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
        """

    @Test
    func `the history tells every try that the server's log has, in order, through outages and a kill`()
        async throws
    {
        let scratch = try ScratchFolder()
        let log = scratch.path("server.log")
        let source = scratch.path("server.py")
        try Self.server.write(toFile: source, atomically: true, encoding: .utf8)
        let port = try LoopbackPort.free()
        let plan = "503,201,drop,500,201,hang,503,201,507,drop"
        let server = try RunningProgram(
            URL(filePath: "/usr/bin/python3"), [source, "\(port)", log, plan],
            log: URL(filePath: scratch.path("server.out")))
        let camera = try await Simulator(scratch, ["--size", "100KB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: [
                "[[destination]]", "name = \"desk\"", "kind = \"http\"", "concurrency = 1",
                "url = \"http://127.0.0.1:\(port)/in/{name}\"",
            ])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 6")
        _ = try await rig.saved(6)
        #expect(try await Self.framefast(rig, ["status", "--plain"]).contains("speed: on disk after "))

        func lines() -> [String] {
            ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").map(
                String.init)
        }
        func untilDelivered(or done: () -> Bool) async throws {
            try await eventually("the uploads to get further") {
                if done() { return () }
                let status = try rig.status()
                let uploads = status.uploads
                if uploads.delivered == 6 { return () }
                // Who does not want to wait for the next try; a server that is full (507) keeps even those that were never tried.
                let isRefused = status.destinations.contains { $0.state == .refusing }
                if uploads.retrying + uploads.failed > 0 || isRefused {
                    _ = try rig.client.call(\.uploads.retry, .init(all: true))
                }
                return nil
            }
        }
        try await untilDelivered { lines().contains { $0.hasSuffix(" hang") } }
        // A photo that waits, by its name.
        let waiting = try #require(
            rig.client.call(\.uploads.list, .init(limit: 100, states: [.queued, .retrying])).value.jobs.first)
        let first = try await Self.framefast(rig, ["queue", "first", waiting.originalName, "--json"])
        #expect(first.contains("\"changed\":1"))
        try await rig.kill()
        try await rig.start()
        try await untilDelivered { false }

        let putFirst = try rig.client.call(\.history.list, .init(limit: 1000)).value.steps
            .filter { $0.kind == .putFirst }
        #expect(putFirst.map(\.capture) == [waiting.capture])
        #expect(putFirst.map(\.by) == ["uid \(getuid())"])

        var told: [String: [String]] = [:]
        var asked: Set<String?> = []
        let jobs = try rig.client.call(\.uploads.list, .init(limit: 100)).value.jobs
        for photo in try rig.records() {
            let history = try rig.client.call(\.history.get, photo.id).value
            #expect(history.capture.id == photo.id)
            #expect(history.steps.prefix(2).map(\.kind) == [.seen, .saved])
            let saved = try #require(history.steps.dropFirst().first)
            #expect(saved.outcome == "structure" && saved.bytes == photo.size && saved.seconds != nil)
            let job = try #require(jobs.first { $0.capture == photo.id })
            told[URL(filePath: job.remoteName ?? "").lastPathComponent] = history.steps.filter {
                $0.kind == .upload
            }.map { $0.outcome ?? "" }
            asked.formUnion(history.steps.filter { $0.kind == .retried }.map(\.by))
        }
        // What the service makes of each answer; a try that the kill cut off is none that failed.
        let meaning = [
            "201": "delivered", "hang": "queued", "503": "retrying", "500": "retrying", "507": "refused",
            "drop": "retrying",
        ]
        var tries: [String: [String]] = [:]
        for line in lines() {
            let words = line.split(separator: " ").map(String.init)
            tries[words[0], default: []].append(meaning[words[1]] ?? "?")
        }
        #expect(tries == told)
        #expect(lines().count == plan.split(separator: ",").count + 3)
        #expect(asked == ["uid \(getuid())"])

        // As a program and a person read it.
        let audit = try await Self.framefast(rig, ["audit", "--since", "1h", "--json"])
        let steps = try audit.split(separator: "\n").map {
            try WireCoder.decode(HistoryStepReply.self, from: Data($0.utf8))
        }
        #expect(steps.count == (try rig.client.call(\.history.list, .init(limit: 1000)).value.steps.count))
        #expect(steps.map(\.id) == steps.map(\.id).sorted() && steps.filter { $0.kind == .saved }.count == 6)
        let name = try #require(rig.records().first).originalName
        let shown = try await Self.framefast(rig, ["captures", "show", name, "--plain"])
        #expect(shown.contains("Delivered, to desk") && shown.contains("state: Delivered"))
        #expect(server.isRunning)
        #expect(try await rig.stop() == 0)
    }

    private static func framefast(_ rig: DaemonRig, _ arguments: [String]) async throws -> String {
        let run = try await RunningProgram.run(
            Programs.path("framefast"), ["--socket", rig.socket] + arguments, in: rig.folder)
        #expect(run.status == 0, "\(run.output)")
        return run.output
    }
}
