import CGPhoto2
import Glibc

/// A camera at a port.
struct FoundCamera {
    /// The driver's name for the camera, for example `PTP/IP Camera`.
    var model: String
    /// The port path. A USB path always contains the bus and the device number.
    var port: String
    /// Whether the driver is the PTP driver.
    var isPTP = true
}

/// Finds the driver and the port of a camera.
enum DriverCatalog {
    /// The model name that is used for every network camera. The driver then detects vendor behavior from
    /// DeviceInfo.
    static let networkModel = "PTP/IP Camera"
    /// The port path for the first camera on USB.
    static let anyUSB = "usb:"
    /// The only permitted driver if no driver folder (`CAMLIBS`) is set. Old drivers have open CVEs.
    static let trustedDriver = "ptp2"

    /// Returns a network path that includes the event port. Without the event port, the driver uses port
    /// 15740 for events. A camera with another port uses that port for both connections.
    static func withEventPort(_ port: String) -> String {
        let parts = port.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "ptpip" ? "\(port):\(parts[2])" : port
    }

    /// Sets the driver and the port of a new camera.
    static func prepare(
        _ camera: UnsafeMutablePointer<Camera>, port: String, context: DriverContext
    ) throws(CameraError) -> FoundCamera {
        func check(_ status: Int32) throws(CameraError) {
            guard status >= GP_OK else { throw CameraError(status: status, call: .open, context: context) }
        }
        context.clearMessages()
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
            ? FoundCamera(model: networkModel, port: withEventPort(port))
            : try detect(port, ports, drivers, context)
        let index = gp_port_info_list_lookup_path(ports, found.port)
        try check(index)
        var info: GPPortInfo?
        try check(gp_port_info_list_get_info(ports, index, &info))
        let entry = gp_abilities_list_lookup_model(drivers, found.model)
        try check(entry)
        var abilities = CameraAbilities()
        try check(gp_abilities_list_get_abilities(drivers, entry, &abilities))
        found.isPTP = text(of: abilities.library).hasSuffix("/" + trustedDriver)
        if getenv("CAMLIBS") == nil, !found.isPTP {
            throw CameraError(
                kind: .noDriver, code: GP_ERROR_MODEL_NOT_FOUND, operation: DriverCall.open.name,
                text: "the driver for \(found.model) is not \(trustedDriver), the only permitted driver")
        }
        try check(gp_camera_set_abilities(camera, abilities))
        try check(gp_camera_set_port_info(camera, info))
        return found
    }

    /// Finds the camera at a USB port with libgphoto2. The device number changes each time a device is
    /// plugged in. A path without a number must therefore be resolved each time.
    private static func detect(
        _ port: String, _ ports: OpaquePointer?, _ drivers: OpaquePointer?, _ context: DriverContext
    ) throws(CameraError) -> FoundCamera {
        var found: OpaquePointer?
        guard gp_list_new(&found) == GP_OK else { throw CameraError.outOfMemory }
        defer { gp_list_free(found) }
        let status = gp_abilities_list_detect(drivers, ports, found, context.raw)
        guard status >= GP_OK else { throw CameraError(status: status, call: .open, context: context) }
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
            text: port == anyUSB ? "no camera on USB" : "no camera at \(port)")
    }
}
