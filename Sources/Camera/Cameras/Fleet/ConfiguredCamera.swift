public import Foundation
public import FrameFastModel

/// The settings of a camera in use: configured, plugged in, or added on the network.
public struct ConfiguredCamera: Hashable, Sendable {
    /// The stable id, from the camera's table in the configuration or derived from the maker and serial
    /// number.
    public var id: CameraID
    /// The current name, which is unique.
    public var name: String
    /// The libgphoto2 port path, for example `ptpip:192.168.1.5:15740`. For a USB camera, the value can also
    /// be a ``USBAddress``.
    public var port: String
    /// The configured time zone of the camera's clock, or `nil` for this computer's time zone.
    public var ownZone: TimeZone?
    /// The current time zone of the camera's clock. If no zone is configured, the value can change while the
    /// camera is connected.
    public var zone: TimeZone { ownZone ?? .current }
    /// Whether photos are deleted from the camera after they are saved.
    public var deletesAfterSave: Bool
    /// The target to which the camera saves new photos.
    public var captureTarget: CaptureTarget
    /// The policy that decides whether transfers wait while the photographer is shooting.
    public var shutterWait: ShutterWait
    /// The policy for a camera clock that differs from this computer's.
    public var clock: ClockPolicy
    /// The preset to apply when the camera connects, or `nil` to apply no preset.
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

    /// Whether the camera is on the network.
    public var isNetwork: Bool { port.hasPrefix("ptpip:") }

    /// The port path for libgphoto2. A network path contains the port number twice. Without the second
    /// number, libgphoto2 uses port 15740 for events (`ptp_ptpip_connect` in camlibs/ptp2/ptpip.c). A camera
    /// uses the same port for requests and events.
    var driverPort: String {
        let parts = port.split(separator: ":")
        return parts.first == "ptpip" && parts.count == 3 ? "\(port):\(parts[2])" : port
    }
}

extension ConfiguredCamera {
    /// Returns this camera with all settings of another camera, except id, name and port.
    func with(settingsOf other: ConfiguredCamera) -> ConfiguredCamera {
        var camera = other
        (camera.id, camera.name, camera.port) = (id, name, port)
        return camera
    }
}
