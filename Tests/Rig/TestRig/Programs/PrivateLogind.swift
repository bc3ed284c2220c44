import Foundation

/// A substitute for systemd-logind on a private bus. The substitute records the locks that it grants.
///
/// The requests for locks come from the real `systemd-inhibit`.
public final class PrivateLogind {
    private let bus: MessageBus
    private let logind: RunningProgram
    private let record: String
    private let refusal: String
    /// The environment variables for programs that use this logind.
    public var environment: [String: String] { bus.environment }

    /// The reason why logind can't run here, or `nil` if it can.
    public static var obstacle: String? { MessageBus.obstacle(needs: "/usr/bin/systemd-inhibit") }

    /// A program that implements `Inhibit`. A lock lasts until its caller closes the returned descriptor.
    private static let program = """
        import os, sys
        from gi.repository import Gio, GLib
        NAME = "org.freedesktop.login1"
        xml = f'''<node><interface name="{NAME}.Manager"><method name="Inhibit">
            <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
            <arg type="s" direction="in"/><arg type="h" direction="out"/></method></interface></node>'''
        def record(text):
            with open(sys.argv[1], "a") as file:
                file.write(text + chr(10))
        def released(descriptor, condition):
            os.close(descriptor)
            record("released")
            return False
        def inhibit(connection, sender, path, interface, method, arguments, call):
            if os.path.exists(sys.argv[2]):
                record("refused")
                call.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "Permission denied")
                return
            ours, theirs = os.pipe()
            record("held " + ", ".join(arguments.unpack()))
            GLib.io_add_watch(ours, GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP, released)
            files = Gio.UnixFDList.new_from_array([theirs])
            call.return_value_with_unix_fd_list(GLib.Variant("(h)", (0,)), files)
        def acquired(connection, name):
            info = Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]
            connection.register_object("/org/freedesktop/login1", info, inhibit, None, None)
        Gio.bus_own_name(Gio.BusType.SYSTEM, NAME, Gio.BusNameOwnerFlags.NONE, acquired,
                         lambda *_: print("here", flush=True), None)
        GLib.MainLoop().run()
        """

    /// Starts the bus and the substitute.
    public init(_ folder: ScratchFolder) async throws {
        record = folder.path("locks")
        refusal = folder.path("refuses-locks")
        let bus = try await MessageBus(folder)
        logind = try await bus.serve("logind", Self.program, [record, refusal])
        self.bus = bus
    }

    /// The events of locks, in order: `held` with what, who, why and mode, `released`, and `refused`.
    public var events: [String] {
        let text = (try? String(contentsOfFile: record, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Refuses all locks from now on, as logind does for users who aren't logged in.
    public func refuseLocks() throws { try Data().write(to: URL(filePath: refusal)) }

    /// Grants locks again.
    public func grantLocks() throws { try FileManager.default.removeItem(atPath: refusal) }
}
