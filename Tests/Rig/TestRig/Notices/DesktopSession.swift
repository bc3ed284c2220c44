import Foundation
import Glibc

/// A session bus of the test's own, with a notification service that keeps what it is to show.
public final class DesktopSession {
    /// What was to be shown.
    public struct Bubble: Decodable, Sendable {
        /// The heading.
        public var summary: String
        /// The text below, as markup.
        public var body: String
        /// 0 low, 1 normal, 2 critical.
        public var urgency: Int
    }

    private static let program = """
        import json, sys
        from gi.repository import Gio, GLib
        NAME = "org.freedesktop.Notifications"
        ARGS = "".join(f'<arg type="{t}" direction="in"/>' for t in
                       ("s", "u", "s", "s", "s", "as", "a{sv}", "i")) + '<arg type="u" direction="out"/>'
        xml = f'<node><interface name="{NAME}"><method name="Notify">{ARGS}</method></interface></node>'
        def call(connection, sender, path, interface, method, given, invocation):
            app, replaces, icon, summary, body, actions, hints, timeout = given.unpack()
            with open(sys.argv[1], "a") as file:
                file.write(json.dumps({"summary": summary, "body": body, "urgency": hints["urgency"]}) + "\\n")
            invocation.return_value(GLib.Variant("(u)", (1,)))
        def acquired(connection, name):
            info = Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]
            connection.register_object("/org/freedesktop/Notifications", info, call, None, None)
        Gio.bus_own_name(Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE, acquired,
                         lambda *_: print("here", flush=True), None)
        GLib.MainLoop().run()
        """

    /// For the environment of programs that are to use this session.
    public let environment: [String: String]
    private let log: String
    private let bus: RunningProgram
    private let service: RunningProgram

    /// Starts both. See ``PrivateBus/obstacle`` for where that cannot be.
    public init(_ folder: ScratchFolder) async throws {
        let socket = folder.path("session-bus")
        environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(socket)"]
        log = folder.path("bubbles")
        bus = try RunningProgram(
            URL(filePath: "/usr/bin/dbus-daemon"),
            ["--session", "--nofork", "--nopidfile", "--print-address", "--address=unix:path=\(socket)"],
            log: folder.url.appending(path: "session-bus.log"))
        let bus = bus
        try await eventually("a bus: \(bus.output)") { bus.output.contains("unix:path") ? () : nil }
        let script = folder.path("notifications.py")
        try Data(Self.program.utf8).write(to: URL(filePath: script))
        service = try RunningProgram(
            URL(filePath: "/usr/bin/python3"), [script, log],
            log: folder.url.appending(path: "notifications.log"), environment: environment)
        let service = service
        try await eventually("a notification service: \(service.output)") {
            service.output.contains("here") ? () : nil
        }
    }

    /// Everything that was to be shown, in order.
    public var bubbles: [Bubble] {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Bubble.self, from: Data($0.utf8))
        }
    }
}
