import Foundation
import Glibc

/// A system bus of the test's own, with a NetworkManager that says what the test wants.
public final class PrivateBus {
    private let bus: RunningProgram
    private let manager: RunningProgram
    private let answer: String
    /// For the environment of programs that are to use this bus.
    public let environment: [String: String]

    /// Why it cannot run here; `nil` when it can.
    public static var obstacle: String? {
        let programs = ["/usr/bin/dbus-daemon", "/usr/bin/busctl", "/usr/bin/python3"]
        if let missing = programs.first(where: { access($0, X_OK) != 0 }) { return "there is no \(missing)" }
        return FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi")
            ? nil : "python3-gi is not installed"
    }

    /// Serves NetworkManager's property `Metered` from a file.
    private static let program = """
        import sys
        from gi.repository import Gio, GLib
        NAME = "org.freedesktop.NetworkManager"
        xml = f'<node><interface name="{NAME}"><property name="Metered" type="u" access="read"/></interface></node>'
        def get(connection, sender, path, interface, name):
            return GLib.Variant("u", int(open(sys.argv[1]).read()))
        def acquired(connection, name):
            info = Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]
            connection.register_object("/org/freedesktop/NetworkManager", info, None, get, None)
        Gio.bus_own_name(Gio.BusType.SYSTEM, NAME, Gio.BusNameOwnerFlags.NONE, acquired,
                         lambda *_: print("here", flush=True), None)
        GLib.MainLoop().run()
        """

    /// Starts both.
    ///
    /// - Parameter metered: A value of NMMetered.
    public init(_ folder: ScratchFolder, metered: Int) async throws {
        let socket = folder.path("bus")
        environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(socket)"]
        answer = folder.path("metered")
        bus = try RunningProgram(
            URL(filePath: "/usr/bin/dbus-daemon"),
            ["--session", "--nofork", "--nopidfile", "--print-address", "--address=unix:path=\(socket)"],
            log: folder.url.appending(path: "bus.log"))
        try Data(String(metered).utf8).write(to: URL(filePath: answer))
        let script = folder.path("networkmanager.py")
        try Data(Self.program.utf8).write(to: URL(filePath: script))
        let bus = bus
        try await eventually("a bus: \(bus.output)") { bus.output.contains("unix:path") ? () : nil }
        manager = try RunningProgram(
            URL(filePath: "/usr/bin/python3"), [script, answer],
            log: folder.url.appending(path: "networkmanager.log"), environment: environment)
        let manager = manager
        try await eventually("a NetworkManager: \(manager.output)") {
            manager.output.contains("here") ? () : nil
        }
    }

    /// Changes the answer.
    public func say(metered: Int) throws {
        try Data(String(metered).utf8).write(to: URL(filePath: answer), options: .atomic)
    }
}
