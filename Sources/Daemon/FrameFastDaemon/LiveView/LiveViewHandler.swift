import APIServer
import Cameras
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Synchronization

/// The endpoints for live view: single frames and streams.
final class LiveViewHandler: EndpointHandler {
    private let lookup: CameraLookup
    private let clock: HostClock
    /// The counts of frames since the service started.
    let frameCounts = LiveViewFeed.FrameCounts()
    /// The feed of each camera's last connection, with the identity of that connection.
    private let feeds = Mutex<[CameraID: (connection: UInt64, feed: LiveViewFeed)]>([:])

    init(lookup: CameraLookup, clock: HostClock) {
        self.lookup = lookup
        self.clock = clock
    }

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.cameras.livePicture, with: picture)
        table.handle(\.cameras.livePictures, with: pictures)
    }

    func picture(_ camera: CameraReference, _ request: LiveViewRequest) async throws(ControlError)
        -> LivePicture
    {
        try await startViewer(camera, request).first
    }

    func pictures(_ camera: CameraReference, _ request: LiveViewRequest) async throws(ControlError)
        -> LivePictures
    {
        let (viewer, first) = try await startViewer(camera, request)
        return LivePictures(first: first) { () throws(ControlError) in try await viewer.next() }
    }

    private func startViewer(
        _ camera: CameraReference, _ request: LiveViewRequest
    ) async throws(ControlError) -> (viewer: LiveViewer, first: LivePicture) {
        let (status, connection) = try lookup.connectedCamera(camera)
        let viewer = LiveViewer(feed: feed(of: connection), name: status.name, request, clock: clock)
        return (viewer, try await viewer.first())
    }

    private func feed(of connection: CameraConnection) -> LiveViewFeed {
        feeds.withLock { feeds in
            if let known = feeds[connection.camera], known.connection == connection.identity {
                return known.feed
            }
            let feed = LiveViewFeed(connection: connection, frameCounts: frameCounts, clock: clock)
            feeds[connection.camera] = (connection.identity, feed)
            return feed
        }
    }
}
