import FrameFastModel
import TestRig
import Testing

@testable import Cameras

@Suite(.timeLimit(.minutes(5))) struct ProgressThrottleTests {
    /// A registry with one camera on a virtual clock. Records the registry's reports with their times.
    private struct Fixture: Sendable {
        struct Report: Sendable {
            var at: Duration
            var status: CameraStatus
        }
        let clock = VirtualClock()
        let reports: AsyncStream<Report>
        let registry: CameraRegistry

        init() {
            let (clock, (reports, sink)) = (clock, AsyncStream<Report>.makeStream())
            self.reports = reports
            registry = CameraRegistry(clock: clock.hostClock) {
                sink.yield(Report(at: clock.now.elapsed, status: $0))
            }
            registry.insert(CameraStatus(id: "a", name: "a", port: "p", state: .downloading))
        }

        static func progress(_ bytes: UInt64, of total: UInt64) -> TransferProgress {
            TransferProgress(name: "A.JPG", bytes: bytes, total: total)
        }
    }

    @Test func `publishes progress at most four times a second and always the last value`() async {
        let fixture = Fixture()
        let total: UInt64 = 290
        for bytes in 1...total {
            fixture.registry.update("a", transfer: Fixture.progress(bytes, of: total))
            await fixture.clock.hasSleeper()
            fixture.clock.advance(by: .milliseconds(10))
        }
        fixture.clock.advance(by: UpdateThrottle.pause)
        var (times, bytes): ([Duration], [UInt64]) = ([], [])
        for await report in fixture.reports {
            guard let transfer = report.status.transfer else { continue }
            times.append(report.at)
            bytes.append(transfer.bytes)
            if transfer.bytes == total { break }
        }
        #expect(times.count >= 12)
        #expect(zip(times, times.dropFirst(4)).allSatisfy { $1 - $0 >= .seconds(1) }, "\(times)")
        #expect(bytes == bytes.sorted())
    }

    @Test func `inserting a status keeps the camera's current transfer`() throws {
        let fixture = Fixture()
        fixture.registry.update("a", transfer: Fixture.progress(1, of: 9))
        let old = try #require(fixture.registry.camera("a"))
        fixture.registry.update("a", state: .ready, transfer: nil)
        fixture.registry.insert(old)
        #expect(fixture.registry.camera("a")?.transfer == nil)
        fixture.registry.update("a", transfer: Fixture.progress(2, of: 9))
        fixture.registry.insert(CameraStatus(id: "a", name: "a", port: "p", state: .ready))
        #expect(fixture.registry.camera("a")?.transfer?.bytes == 2)
    }

    @Test func `throttles the progress of each camera separately`() async {
        let fixture = Fixture()
        fixture.registry.insert(CameraStatus(id: "b", name: "b", port: "p", state: .downloading))
        fixture.registry.update("a", transfer: Fixture.progress(1, of: 9))
        fixture.registry.update("b", transfer: Fixture.progress(2, of: 9))
        var reports = fixture.reports.makeAsyncIterator()
        var received: [UInt64?] = []
        while received.count < 4, let report = await reports.next() {
            received.append(report.status.transfer?.bytes)
        }
        #expect(received == [nil, nil, 1, 2])
    }

    @Test func `publishes a state change immediately, including the skipped progress`() async {
        let fixture = Fixture()
        fixture.registry.update("a", transfer: Fixture.progress(1, of: 9))
        fixture.registry.update("a", transfer: Fixture.progress(2, of: 9))
        fixture.registry.update(pending: ["a": 3])
        fixture.registry.update("a", state: .reconnecting)
        fixture.registry.update("a", state: .ready, transfer: nil)
        var reports = fixture.reports.makeAsyncIterator()
        var received: [CameraStatus] = []
        while received.count < 4, let report = await reports.next() { received.append(report.status) }
        #expect(received.map(\.state) == [.downloading, .downloading, .reconnecting, .ready])
        #expect(received.map(\.transfer?.bytes) == [nil, 1, 2, nil])
        #expect(received.map(\.pending) == [0, 0, 3, 3])
        // All changes are published, so the end of the pause publishes nothing.
        await fixture.clock.hasSleeper()
        fixture.clock.advance(by: .seconds(1))
        fixture.registry.update("a", state: .gone)
        #expect(await reports.next()?.status.state == .gone)
    }

    @Test func `publishes the end of a transfer after the pause`() async {
        let fixture = Fixture()
        fixture.registry.update("a", transfer: Fixture.progress(1, of: 9))
        fixture.registry.update("a", transfer: nil)
        await fixture.clock.hasSleeper()
        fixture.clock.advance(by: .milliseconds(250))
        var reports = fixture.reports.makeAsyncIterator()
        var received: [UInt64?] = []
        while received.count < 3, let report = await reports.next() {
            received.append(report.status.transfer?.bytes)
        }
        #expect(received == [nil, 1, nil])
    }

    @Test func `publishes the progress of a camera that was removed and added again`() async {
        let fixture = Fixture()
        fixture.registry.update("a", transfer: Fixture.progress(1, of: 9))
        fixture.registry.update("a", transfer: Fixture.progress(2, of: 9))
        fixture.registry.remove("a")
        fixture.registry.insert(CameraStatus(id: "a", name: "back", port: "p", state: .downloading))
        fixture.registry.update("a", transfer: Fixture.progress(3, of: 9))
        await fixture.clock.hasSleeper()
        fixture.clock.advance(by: .milliseconds(250))
        var reports = fixture.reports.makeAsyncIterator()
        var last: CameraStatus?
        while last?.transfer?.bytes != 3, let report = await reports.next() { last = report.status }
        #expect(last?.name == "back")
    }
}
