import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// A service with a page, and those who look at it.
struct WebRig {
    let rig: DaemonRig
    let port: Int
    let camera: Simulator
    let folder: ScratchFolder

    var address: String { "https://127.0.0.1:\(port)" }

    init(
        maker: String = "canon", camera arguments: [String] = ["--size", "200KB"], web: [String] = [],
        tables: [String] = []
    ) async throws {
        folder = try ScratchFolder()
        port = try LoopbackPort.free()
        camera = try await Simulator(folder, ["--maker", maker] + arguments)
        rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: ["[web]", "listen = \"127.0.0.1:\(port)\""] + web + tables)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
    }

    /// Opens a code.
    func code(_ role: WebRole, session: SessionID? = nil, uses: Int? = nil) throws -> WebPairReply {
        try rig.client.call(\.web.pair, .init(role: role, session: session, uses: uses)).value
    }

    /// A browser that was let in.
    func browser(_ role: WebRole, name: String = "Mia", session: SessionID? = nil) async throws -> Browser {
        let browser = try await Browser(folder)
        try await browser.open(try code(role, session: session).url)
        try await browser.wait("the form", "return document.querySelector('form.pair') !== null")
        try await browser.run(
            "document.querySelector('[name=name]').value = arguments[0]; document.querySelector('form button').click()",
            name)
        try await browser.wait("the page", "return document.querySelector('form.pair') === null")
        return browser
    }

    /// Somebody who asks without a browser, with whatever they like.
    func ask(
        _ path: String, _ method: String = "GET", cookie: String? = nil, headers: [String] = [],
        body: String? = nil,
        host: String? = nil
    ) throws -> (status: Int, headers: String, body: Data) {
        var arguments = ["-sk", "-i", "--http1.1", "--path-as-is", "-m", "20", "-X", method]
        if let cookie { arguments += ["-H", "Cookie: \(cookie)"] }
        for header in headers { arguments += ["-H", header] }
        if let host { arguments += ["-H", "Host: \(host)"] }
        if let body { arguments += ["--data-binary", body] }
        let (_, output) = try MetricsReader.run(MetricsReader.curl, arguments + [address + path])
        guard let end = output.range(of: Data("\r\n\r\n".utf8)) else { return (0, "", Data()) }
        let head = String(decoding: output[..<end.lowerBound], as: UTF8.self)
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (status, head, Data(output[end.upperBound...]))
    }

    /// What our own page sends along.
    var ours: [String] { ["Origin: \(address)", "Content-Type: application/json"] }

    /// Lets a device in.
    ///
    /// - Returns: its cookie; `nil` when it is refused.
    func pair(_ code: String, name: String = "Mia") throws -> String? {
        let answer = try ask(
            "/pair", "POST", headers: ours, body: "{\"code\":\"\(code)\",\"name\":\"\(name)\"}")
        let cookie = answer.headers.firstMatch(of: /(?i)set-cookie: ([^;]+);/)
        return answer.status == 200 ? cookie.map { String($0.1) } : nil
    }

    /// Takes photos and waits until they are saved.
    func shoot(_ count: Int = 1) async throws {
        let before = try rig.status().captures.total
        try camera.command("burst \(count) 20")
        try await rig.saved(before + count)
    }
}
