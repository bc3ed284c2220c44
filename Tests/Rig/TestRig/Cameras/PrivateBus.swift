import Foundation

/// A system bus of the test's own, with a NetworkManager that says what the test wants.
public final class PrivateBus {
    private let bus: MessageBus
    private let manager: RunningProgram
    private let answer: String
    /// For the environment of programs that are to use this bus.
    public var environment: [String: String] { bus.environment }

    /// Why it cannot run here; `nil` when it can.
    public static var obstacle: String? { MessageBus.obstacle(needs: "/usr/bin/busctl") }

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
        answer = folder.path("metered")
        try Data(String(metered).utf8).write(to: URL(filePath: answer))
        let bus = try await MessageBus(folder)
        manager = try await bus.serve("networkmanager", Self.program, [answer])
        self.bus = bus
    }

    /// Changes the answer.
    public func say(metered: Int) throws {
        try Data(String(metered).utf8).write(to: URL(filePath: answer), options: .atomic)
    }
}
