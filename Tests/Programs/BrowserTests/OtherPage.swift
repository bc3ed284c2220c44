import Foundation
import TestRig

/// A web page at another origin of this computer.
///
/// Browsers send the cookie of a host to the host's other ports, too. A page at another port of the same host
/// therefore has the cookie in its requests.
final class OtherPage {
    private let site: ScratchFolder
    private let ports: ReservedPorts
    private let server: RunningProgram

    /// Starts the server of the page.
    init() async throws {
        let (site, ports) = (try ScratchFolder(), try ReservedPorts())
        (self.site, self.ports) = (site, ports)
        try "<!doctype html><title>Other</title>".write(
            toFile: site.path("index.html"), atomically: true, encoding: .utf8)
        server = try RunningProgram(
            URL(filePath: "/usr/bin/python3"),
            ["-m", "http.server", "--bind", "127.0.0.1", "--directory", site.url.path, "\(ports.first)"],
            log: site.url.appending(path: "server.log"))
        try await server.waitUntilListening(on: ports.first, "the other page")
    }

    /// Returns the URL of the page.
    ///
    /// - Parameter host: A host name that the browser resolves to 127.0.0.1.
    func url(at host: String = "127.0.0.1") -> String { "http://\(host):\(ports.first)/" }
}
