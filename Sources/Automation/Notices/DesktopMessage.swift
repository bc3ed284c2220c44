import ChildProcesses
import FrameFastModel

/// A message as `org.freedesktop.Notifications` takes it (Desktop Notifications Specification 1.2).
///
/// By `busctl`, which comes with systemd: a child with a timeout cannot hang the service as a bus connection in it could.
struct DesktopMessage: Sendable {
    let message: NoticeMessage

    init(_ message: NoticeMessage) { self.message = message }

    /// - Parameter bus: The address of the session bus.
    func command(_ bus: String, timeoutSeconds: Double) -> CommandSettings {
        // Facts in braces are filled in by a command's run: there are none, and braces stay as they are.
        CommandSettings(
            program: "/usr/bin/busctl",
            arguments: [
                "--user", "--timeout=\(max(Int(timeoutSeconds) - 1, 1))", "--", "call",
                "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
                "org.freedesktop.Notifications", "Notify", "susssasa{sv}i",
                "FrameFast", "0", "camera-photo", message.title, markup, "0",
                "2", "urgency", "y", String(urgency), "category", "s", "device", "-1",
            ],
            timeoutSeconds: timeoutSeconds, environment: ["DBUS_SESSION_BUS_ADDRESS": bus])
    }

    /// 0 low, 1 normal, 2 critical.
    private var urgency: Int {
        switch message.severity {
        case .danger: 2
        case .warning: 1
        case .info: 0
        case nil: 1
        }
    }

    /// The body is read as markup.
    private var markup: String {
        message.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
