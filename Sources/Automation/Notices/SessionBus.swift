import Glibc

/// The session bus of the user whom this process belongs to.
public enum SessionBus {
    /// Why nothing can be shown on a desktop.
    static let missing = "There is no session bus here: the service of the whole system has no desktop"
    /// What to do about that.
    static let nextStep =
        "Run FrameFast as the service of a login, or use another kind of notice for this one."

    /// What is wrong for a notice on the desktop; `nil` when there is a bus.
    public static func fault(_ environment: [String: String]) -> String? {
        address(environment) == nil ? "\(missing). \(nextStep)" : nil
    }

    /// Its address: from the environment, or where systemd has it for a login; `nil` when there is none.
    static func address(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let folder = environment["XDG_RUNTIME_DIR"], access(folder + "/bus", F_OK) == 0 else {
            return nil
        }
        return "unix:path=\(folder)/bus"
    }
}
