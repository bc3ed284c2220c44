import Foundation
import FrameFastModel

extension Photo {
    /// Returns a photo of the camera `left` in the session `Wedding`, saved with its announced size.
    static func sample(
        _ name: String = "a.jpg", session: String? = "Wedding", cameraTime: Int64? = 1_795_271_130,
        bytes: UInt64 = 10,
        rating: Int? = nil, isProtected: Bool? = nil, zone: TimeZone = .gmt,
        camera: PhotoCamera = PhotoCamera(id: "left-1", name: "left", zone: .gmt)
    ) -> Photo {
        var record = CaptureRecord(
            id: 7, bodyID: "left-body",
            object: CameraObject(
                folder: "/store_1/DCIM", name: name, size: bytes, cameraTime: cameraTime,
                isProtected: isProtected),
            state: .saved, sessionID: session == nil ? nil : 3,
            detectedAt: Date(timeIntervalSince1970: 1_000))
        record.rating = rating
        record.bytes = bytes
        var camera = camera
        camera.zone = zone
        return Photo(record, camera: camera, session: session.map { PhotoSession(id: 3, name: $0) })
    }
}
