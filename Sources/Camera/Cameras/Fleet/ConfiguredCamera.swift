public import Foundation
public import FrameFastModel

/// A camera that is to be used: one that the configuration names, one that was plugged in, one that is kept on the
/// network.
public struct ConfiguredCamera: Hashable, Sendable {
    /// Stable id: that of its table in the configuration, or one made from maker and serial number.
    public var id: CameraID
    /// What it is called now. Unique.
    public var name: String
    /// libgphoto2 port path, for example `ptpip:192.168.1.5:15740`; for the USB also a ``USBAddress``.
    public var port: String
    /// The zone that the camera's clock runs in by the configuration, or `nil` for this computer's.
    public var ownZone: TimeZone?
    /// The zone that the camera's clock runs in now: this computer's may change while the camera is connected.
    public var zone: TimeZone { ownZone ?? .current }
    /// Whether photos are deleted on the camera once they are saved.
    public var deletesAfterSave: Bool
    /// Where the camera puts new photos.
    public var captureTarget: CaptureTarget
    /// Whether its photos wait while somebody shoots.
    public var shutterWait: ShutterWait
    /// What is done about its clock.
    public var clock: ClockPolicy
    /// The preset that it is set to when it is connected; `nil` for none.
    public var preset: String?

    /// Creates a camera.
    public init(
        id: CameraID, name: String, port: String, zone: TimeZone?, deletesAfterSave: Bool,
        captureTarget: CaptureTarget = .card, shutterWait: ShutterWait = .auto, clock: ClockPolicy = .ask,
        preset: String? = nil
    ) {
        self.id = id
        self.name = name
        self.port = port
        ownZone = zone
        self.deletesAfterSave = deletesAfterSave
        self.captureTarget = captureTarget
        self.shutterWait = shutterWait
        self.clock = clock
        self.preset = preset
    }

    /// Whether it is on the network.
    public var isNetwork: Bool { port.hasPrefix("ptpip:") }

    /// The port path for libgphoto2. It takes the events from port 15740 whatever the command port is, unless a second
    /// port is given (`ptp_ptpip_connect` in camlibs/ptp2/ptpip.c): a camera has both on one port.
    var driverPort: String {
        let parts = port.split(separator: ":")
        return parts.first == "ptpip" && parts.count == 3 ? "\(port):\(parts[2])" : port
    }
}

extension ConfiguredCamera {
    /// The same camera with all that is configured of another one: it keeps who it is and where.
    func with(settingsOf other: ConfiguredCamera) -> ConfiguredCamera {
        var camera = other
        (camera.id, camera.name, camera.port) = (id, name, port)
        return camera
    }
}
