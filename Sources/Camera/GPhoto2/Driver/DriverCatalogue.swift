import CGPhoto2
import Glibc

/// A camera at a port.
struct FoundCamera {
    /// The driver's name for the camera, for example `PTP/IP Camera`.
    var model: String
    /// The port path; over USB always with bus and device.
    var port: String
    /// Whether the driver speaks PTP, as the one that is trusted does.
    var speaksPTP = true
}

/// Finds driver and port for a camera.
enum DriverCatalogue {
    /// Every camera reached over the network: vendor behaviour then follows DeviceInfo.
    static let networkModel = "PTP/IP Camera"
    /// The port path of "the first camera on the USB".
    static let anyUSB = "usb:"
    /// The one driver that is used when nobody chose a directory of drivers (`CAMLIBS`): old drivers have open CVEs.
    static let trustedDriver = "ptp2"

    /// A network path with the port for events: the driver takes 15740 for that when only one port is given, but a
    /// camera behind another port has both connections there.
    static func spelledOut(_ port: String) -> String {
        let parts = port.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "ptpip" ? "\(port):\(parts[2])" : port
    }

    /// Sets a new camera's driver and port.
    static func prepare(
        _ camera: UnsafeMutablePointer<Camera>, port: String, context: DriverContext
    ) throws(CameraError) -> FoundCamera {
        func check(_ status: Int32) throws(CameraError) {
            guard status >= GP_OK else { throw CameraHandle.error(status, .open, context) }
        }
        context.begin()
        var ports: OpaquePointer?
        try check(gp_port_info_list_new(&ports))
        defer { gp_port_info_list_free(ports) }
        try check(gp_port_info_list_load(ports))
        var drivers: OpaquePointer?
        try check(gp_abilities_list_new(&drivers))
        defer { gp_abilities_list_free(drivers) }
        try check(gp_abilities_list_load(drivers, context.raw))
        var found =
            port.hasPrefix("ptpip:")
            ? FoundCamera(model: networkModel, port: spelledOut(port))
            : try detect(port, ports, drivers, context)
        let index = gp_port_info_list_lookup_path(ports, found.port)
        try check(index)
        var info: GPPortInfo?
        try check(gp_port_info_list_get_info(ports, index, &info))
        let entry = gp_abilities_list_lookup_model(drivers, found.model)
        try check(entry)
        var abilities = CameraAbilities()
        try check(gp_abilities_list_get_abilities(drivers, entry, &abilities))
        found.speaksPTP = text(of: abilities.library).hasSuffix("/" + trustedDriver)
        if getenv("CAMLIBS") == nil, !found.speaksPTP {
            throw CameraError(
                kind: .noDriver, code: GP_ERROR_MODEL_NOT_FOUND, operation: DriverCall.open.name,
                text: "the driver for \(found.model) is not \(trustedDriver)")
        }
        try check(gp_camera_set_abilities(camera, abilities))
        try check(gp_camera_set_port_info(camera, info))
        return found
    }

    /// Asks libgphoto2 which camera sits at a USB port. A device gets a new number each time that it is plugged in,
    /// so a port without one has to be looked up each time.
    private static func detect(
        _ port: String, _ ports: OpaquePointer?, _ drivers: OpaquePointer?, _ context: DriverContext
    ) throws(CameraError) -> FoundCamera {
        var found: OpaquePointer?
        guard gp_list_new(&found) == GP_OK else { throw CameraHandle.outOfMemory }
        defer { gp_list_free(found) }
        let status = gp_abilities_list_detect(drivers, ports, found, context.raw)
        guard status >= GP_OK else { throw CameraHandle.error(status, .open, context) }
        for index in 0..<max(0, gp_list_count(found)) {
            var name: UnsafePointer<CChar>?
            var value: UnsafePointer<CChar>?
            gp_list_get_name(found, index, &name)
            gp_list_get_value(found, index, &value)
            guard let name, let value else { continue }
            let here = String(cString: value)
            if here == port || (port == anyUSB && here.hasPrefix(anyUSB)), here != anyUSB {
                return FoundCamera(model: String(cString: name), port: here)
            }
        }
        throw CameraError(
            kind: .disconnected, code: GP_ERROR_IO_USB_FIND, operation: DriverCall.open.name,
            text: port == anyUSB ? "no camera on the USB" : "no camera at \(port)")
    }
}
