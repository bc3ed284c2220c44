import APIClient
import FrameFastAPI
import Glibc
import Synchronization
import SystemIO
import TerminalUI

/// A reader of live view on a separate thread, for a screen that also handles keys and events. The feed
/// requests the next frame after the screen has drawn the previous frame.
final class LiveFeed: Sendable {
    /// A report of the thread.
    enum Report: Sendable {
        case frame(Pixels)
        /// Live view ended, or could not start. The value is `nil` if live view ended without an error.
        case ended(Explanation?)
    }

    /// The size of the largest frame that fits on the screen, in pixels.
    private let box: Mutex<(width: Int, height: Int)>
    private let isWanted = Atomic(true)
    private let drawn = Mailbox<Void>()

    private init(_ box: (width: Int, height: Int)) { self.box = Mutex(box) }

    /// Starts live view.
    ///
    /// - Parameters:
    ///   - box: The size of the largest frame that fits on the screen, in pixels.
    ///   - handle: Handles each report. Called on the feed's thread.
    static func start(
        _ client: FrameFastClient, _ camera: CameraReference, fitting box: (width: Int, height: Int),
        handle: @escaping @Sendable (LiveFeed, Report) -> Void
    ) -> LiveFeed {
        let feed = LiveFeed(box)
        PlainThread.startOrExit("live-view") { handle(feed, .ended(feed.readFrames(client, camera, handle))) }
        return feed
    }

    /// Requests the next frame, after the previous frame was drawn.
    func requestNext(fitting box: (width: Int, height: Int)) {
        self.box.withLock { $0 = box }
        drawn.post(())
    }

    /// Ends live view.
    func stop() {
        isWanted.store(false, ordering: .relaxed)
        drawn.post(())
    }

    private func readFrames(
        _ client: FrameFastClient, _ camera: CameraReference, _ handle: (LiveFeed, Report) -> Void
    ) -> Explanation? {
        guard let decoder = PictureProgram() else { return LiveScreen.Failure.noDecoder.explanation }
        let request = LiveViewRequest(rate: LiveScreen.defaultRate, size: nil)
        do throws(ClientError) {
            try client.pictures(of: camera, request) { jpeg in
                guard isWanted.load(ordering: .relaxed) else { return false }
                if let pixels = decoder.pixels(of: jpeg, fitting: box.withLock { $0 }) {
                    handle(self, .frame(pixels))
                    waitUntilDrawn()
                }
                return isWanted.load(ordering: .relaxed) && !decoder.hasExited
            }
        } catch { return error.explanation }
        return decoder.hasExited ? LiveScreen.Failure.decoderExited.explanation : nil
    }

    private func waitUntilDrawn() {
        _ = try? IO.poll(drawn.descriptor, for: POLLIN, milliseconds: -1)
        _ = drawn.takeAll()
    }
}
