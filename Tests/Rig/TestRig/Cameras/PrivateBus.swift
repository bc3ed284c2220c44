import Foundation

/// A private system bus with a scripted NetworkManager.
public final class PrivateBus {
    private let bus: MessageBus
    private let manager: RunningProgram
    private let answer: String
    /// The environment variables for programs that use this bus.
    public var environment: [String: String] { bus.environment }

    /// The reason why the bus can't run here, or `nil` if it can.
    public static var obstacle: String? { MessageBus.obstacle(needs: "/usr/bin/busctl") }

    /// A program that serves NetworkManager's property `Metered` from a file.
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

    /// Starts the bus and the NetworkManager.
    ///
    /// - Parameter metered: A value of NMMetered.
    public init(_ folder: ScratchFolder, metered: Int) async throws {
        answer = folder.path("metered")
        try Data(String(metered).utf8).write(to: URL(filePath: answer))
        let bus = try await MessageBus(folder)
        manager = try await bus.serve("networkmanager", Self.program, [answer])
        self.bus = bus
    }

    /// Changes the value of `Metered`.
    public func setMetered(_ metered: Int) throws {
        try Data(String(metered).utf8).write(to: URL(filePath: answer), options: .atomic)
    }
}
