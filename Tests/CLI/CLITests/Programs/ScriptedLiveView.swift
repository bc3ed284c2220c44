import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization

/// A live view of one gray frame, repeated until a test ends the stream. Then, the live view reports an
/// overheated camera.
final class ScriptedLiveView: Sendable {
    /// A terminal's answers to the query for picture support: the kitty protocol, sixels, or neither.
    static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c"
    static let sixel = "\u{1B}[?62;4;22c"
    static let noPictures = "\u{1B}[?62;22c"

    /// A JPEG of 16 × 8 gray pixels.
    private static let jpeg =
        Data(
            base64Encoded:
                "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP////////////////////////////////////////////////////////"
                + "//////////////////////////////wAALCAAIABABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAA"
                + "AAAAAAAAAAAAAAD/2gAIAQEAAD8AD//Z") ?? Data()

    private static let tooHot = ControlError(.cameraFailed, "the camera is too hot")

    /// The cameras of the requested streams, in order.
    let requests = Mutex<[CameraReference]>([])
    let isOpen = Atomic(true)

    func surface() -> ScriptedControlSurface {
        ScriptedControlSurface { [self] table in
            table.handle(\.cameras.livePictures) {
                (camera, _) async throws(ControlError) -> LivePictures in
                self.requests.withLock { $0.append(camera) }
                guard self.isOpen.load(ordering: .relaxed) else { throw Self.tooHot }
                return LivePictures(first: LivePicture(jpeg: Self.jpeg)) { () throws(ControlError) in
                    // The time that the camera needs for a frame.
                    try? await Task.sleep(for: .milliseconds(20))
                    guard self.isOpen.load(ordering: .relaxed) else { throw Self.tooHot }
                    return LivePicture(jpeg: Self.jpeg)
                }
            }
        }
    }
}
