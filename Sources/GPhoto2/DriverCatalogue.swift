import CGPhoto2
import Glibc

/// Finds driver and port for a camera.
enum DriverCatalogue {
    /// Every camera reached over the network: vendor behaviour then follows DeviceInfo.
    static let networkModel = "PTP/IP Camera"
    /// The one driver that is used when nobody chose a directory of drivers (`CAMLIBS`): old drivers have open CVEs.
    static let trustedDriver = "ptp2"

    /// A network path with the port for events: the driver takes 15740 for that when only one port is given, but a
    /// camera behind another port has both connections there.
    static func spelledOut(_ port: String) -> String {
        let parts = port.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "ptpip" ? "\(port):\(parts[2])" : port
    }

    /// Sets a new camera's driver and port.
    ///
    /// - Returns: the driver's name for the camera.
    static func prepare(
        _ camera: UnsafeMutablePointer<Camera>, port: String, context: DriverContext
    ) throws(CameraError) -> String {
        func check(_ status: Int32) throws(CameraError) {
            guard status >= GP_OK else { throw CameraHandle.error(status, .open, context) }
        }
        context.begin()
        var ports: OpaquePointer?
        try check(gp_port_info_list_new(&ports))
        defer { gp_port_info_list_free(ports) }
        try check(gp_port_info_list_load(ports))
        let index = gp_port_info_list_lookup_path(ports, spelledOut(port))
        try check(index)
        var info: GPPortInfo?
        try check(gp_port_info_list_get_info(ports, index, &info))

        var drivers: OpaquePointer?
        try check(gp_abilities_list_new(&drivers))
        defer { gp_abilities_list_free(drivers) }
        try check(gp_abilities_list_load(drivers, context.raw))
        let model = port.hasPrefix("ptpip:") ? networkModel : try detect(port, ports, drivers, context)
        let entry = gp_abilities_list_lookup_model(drivers, model)
        try check(entry)
        var abilities = CameraAbilities()
        try check(gp_abilities_list_get_abilities(drivers, entry, &abilities))
        if getenv("CAMLIBS") == nil, !text(of: abilities.library).hasSuffix("/" + trustedDriver) {
            throw CameraError(
                kind: .noDriver, code: GP_ERROR_MODEL_NOT_FOUND, operation: DriverCall.open.name,
                text: "the driver for \(model) is not \(trustedDriver)")
        }
        try check(gp_camera_set_abilities(camera, abilities))
        try check(gp_camera_set_port_info(camera, info))
        return model
    }

    /// Asks libgphoto2 which camera sits at a USB port.
    private static func detect(
        _ port: String, _ ports: OpaquePointer?, _ drivers: OpaquePointer?, _ context: DriverContext
    ) throws(CameraError) -> String {
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
            if let name, let value, String(cString: value) == port { return String(cString: name) }
        }
        throw CameraError(
            kind: .disconnected, code: GP_ERROR_IO_USB_FIND, operation: DriverCall.open.name,
            text: "no camera at \(port)")
    }
}
