import Glibc
import Testing

import struct TestRig.ProgramsTrait
import func TestRig.eventually

@testable import CameraSimulator

@Suite(.blocking) struct CameraServerTests {
    private static func connects(to address: String, _ port: UInt16) -> Bool {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, address, &name.sin_addr)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(client, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    @Test func `listens again after another program released the port`() async throws {
        var options = CameraServer.Options()
        // The server has a separate address. While the link is down, no other test can use the port at this
        // address.
        options.address = "127.0.5.1"
        options.port = 0
        let (failures, sink) = AsyncStream<SimulatorError>.makeStream()
        let camera = SharedCamera(TestCamera().camera, onPhotos: { _ in }, onDeleted: { _ in })
        let server = CameraServer(camera, options: options) { sink.yield($0) }
        let port = try server.start()
        defer { server.stop() }
        server.setLink(down: true)
        let other = try await eventually("the server to release its port") {
            try? Listener.open(options.address, port)
        }
        server.setLink(down: false)
        var iterator = failures.makeAsyncIterator()
        let failure = await iterator.next()
        close(other.descriptor)
        #expect(
            failure == .socket(address: "\(options.address):\(port)", reason: "Address already in use"))
        _ = try await eventually("the server to listen again") {
            Self.connects(to: options.address, port) ? true : nil
        }
    }
}
