import FrameFastSystem
import Glibc
import SystemPackage
import Testing
import WorkerProtocol

@testable import Cameras

@Suite struct WorkerLinkTests {
    @Test func `a link that has ended keeps its hands off a descriptor of the same number`() async throws {
        var isMet = false
        for _ in 0..<100 where !isMet {
            let (ours, theirs) = try SocketPair.make()
            let link = WorkerLink(socket: ours, name: "test")
            try theirs.close()
            await link.ended()
            // Tests beside this one open descriptors too: sometimes the number is theirs.
            let (end, peer) = try SocketPair.make()
            let placed = fcntl(end.rawValue, F_DUPFD_CLOEXEC, ours.rawValue)
            defer { for number in [placed, end.rawValue, peer.rawValue] { close(number) } }
            isMet = placed == ours.rawValue || end == ours
            guard isMet else { continue }
            #expect(throws: WorkerFailure.self) { try link.send(.close) }
            link.end(WorkerLink.gone("again"))
            var byte: UInt8 = 0
            let count = recv(peer.rawValue, &byte, 1, Int32(MSG_DONTWAIT))
            #expect(count == -1 && errno == EAGAIN, "the stranger's peer got \(count)")
        }
        #expect(isMet)
    }

    @Test func `every open request fails when the worker is gone`() async throws {
        let (ours, theirs) = try SocketPair.make()
        let link = WorkerLink(socket: ours, name: "test")
        let answers = Task {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask { () async -> Bool in
                        do throws(WorkerFailure) {
                            _ = try await link.request { .trigger(id: $0) }
                            return false
                        } catch { return error.kind == .disconnected }
                    }
                }
                return await group.allSatisfy { $0 }
            }
        }
        try theirs.close()
        #expect(await answers.value)
        #expect(!link.isAlive)
    }
}
