import APIClient
import FrameFastAPI

extension FrameFastClient {
    /// Passes frames of live view on until their reader is gone.
    ///
    /// - Parameter show: Shows a frame, and returns whether there is still a reader.
    /// - Throws: The reason if live view ends before that.
    func follow(
        _ camera: CameraReference, _ request: LiveViewRequest, _ show: ([UInt8]) -> Bool
    ) throws(ClientError) {
        var hasReader = true
        try pictures(of: camera, request) { jpeg throws(ClientError) in
            hasReader = show(jpeg)
            return hasReader
        }
        guard hasReader else { return }
        // A stream can't say why it ends. The next frame can.
        _ = try picture(of: camera, request)
        throw .refused(
            .init(
                code: .cameraFailed, message: "live view of '\(camera)' has ended",
                nextStep: "Start it again: a stream lasts half an hour at most."))
    }
}
