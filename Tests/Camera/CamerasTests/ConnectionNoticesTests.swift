import FrameFastModel
import FrameFastSystem
import Testing
import WorkerProtocol

@testable import Cameras

@Suite struct ConnectionNoticesTests {
    private static let object = CameraObject(folder: "/", name: "A.JPG", size: 1, cameraTime: 1)

    private func notices(
        _ stream: AsyncStream<[CameraConnection.Notice]>
    ) async -> [CameraConnection.Notice] {
        var notices: [CameraConnection.Notice] = []
        for await delivery in stream { notices += delivery }
        return notices
    }

    private static let rows: [(CameraConnection.Notice, Bool)] = [
        (.objectAdded(object), true), (.listChanged("a folder was added"), true),
        (.progress(bytes: 1), false),
    ]

    @Test(arguments: rows)
    func `reports dropped announcements before the remaining notices`(
        notice: CameraConnection.Notice, isReported: Bool
    ) async {
        let hub = ConnectionNotices()
        let stream = hub.startStream()
        for _ in 0...WorkerLink.noticesMax { hub.yield(notice) }
        hub.finish()
        let received = await notices(stream)
        let reported: [CameraConnection.Notice] = isReported ? [.announcementsDropped] : []
        let kept = [CameraConnection.Notice](repeating: notice, count: WorkerLink.noticesMax)
        #expect(received == reported + kept)
    }

    @Test func `the supervisor forwards the report of a dropped announcement`() async throws {
        let link = WorkerLink { _ in }
        link.receive(.objectAdded(Self.object))
        for _ in 0..<WorkerLink.noticesMax { link.receive(.progress(id: 1, bytes: 1)) }
        link.stopNotices()
        let hub = ConnectionNotices()
        let stream = hub.startStream()
        try await SupervisedCamera(.init()).supervisor(.system).forwardEvents(link, hub)
        #expect(await notices(stream).first == .announcementsDropped)
    }
}
