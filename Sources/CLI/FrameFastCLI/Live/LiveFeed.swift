import APIClient
import FrameFastAPI
import Glibc
import PlainThreads
import Synchronization
import TerminalUI

/// What a camera sees, for a screen with other things to do: the next frame is made when the one before was drawn.
final class LiveFeed: Sendable {
    /// What comes of it.
    enum News: Sendable {
        case frame(Pixels)
        /// It has ended, by itself or because it was stopped.
        case ended(Explanation?)
    }

    /// Pixels that a frame may have.
    private let box: Mutex<(width: Int, height: Int)>
    private let isWanted = Atomic(true)
    private let drawn = Mailbox<Void>()

    private init(_ box: (width: Int, height: Int)) { self.box = Mutex(box) }

    /// Starts a thread with one.
    ///
    /// - Parameter tell: is called by that thread.
    static func start(
        _ client: FrameFastClient, _ camera: CameraReference, fitting box: (width: Int, height: Int),
        tell: @escaping @Sendable (LiveFeed, News) -> Void
    ) -> LiveFeed {
        let feed = LiveFeed(box)
        PlainThread.startOrExit("live-view") { tell(feed, .ended(feed.follow(client, camera, tell))) }
        return feed
    }

    /// The frame was drawn: the next one may come, for a place of this size.
    func goOn(fitting box: (width: Int, height: Int)) {
        self.box.withLock { $0 = box }
        drawn.post(())
    }

    /// Nobody looks any more.
    func stop() {
        isWanted.store(false, ordering: .relaxed)
        drawn.post(())
    }

    private func follow(
        _ client: FrameFastClient, _ camera: CameraReference, _ tell: (LiveFeed, News) -> Void
    ) -> Explanation? {
        guard let decoder = PictureProgram() else {
            return LiveScreen.Failure.noDecoder.explanation
        }
        let request = LiveViewRequest(rate: LiveScreen.usualRate, size: nil)
        do throws(ClientError) {
            try client.pictures(of: camera, request) { jpeg in
                guard isWanted.load(ordering: .relaxed) else { return false }
                if let pixels = decoder.pixels(of: jpeg, fitting: box.withLock { $0 }) {
                    tell(self, .frame(pixels))
                    waitUntilDrawn()
                }
                return isWanted.load(ordering: .relaxed)
            }
        } catch { return error.explanation }
        return nil
    }

    private func waitUntilDrawn() {
        var entry = pollfd(fd: drawn.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
        _ = drawn.takeAll()
    }
}
