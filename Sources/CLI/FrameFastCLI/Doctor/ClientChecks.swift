import APIClient
import FrameFastAPI

/// The checks that `doctor` makes without the daemon. Each check rates some of the ``Facts`` and contains
/// the next steps.
struct ClientChecks {
    /// The facts about the service, this user and this process.
    struct Facts {
        var socketPath: String
        /// The reason why the daemon sent no diagnosis, or `nil` if the daemon sent a diagnosis.
        var failure: ClientError?
        var ownVersion: String
        /// The daemon's version, or `nil` if the version is unknown.
        var daemonVersion: String?
        var membership: Membership
        var isRoot: Bool
        /// Whether the service runs as this user.
        var isServiceUser = false
        /// Whether the service is a user service, of this user or of another user.
        var isUserUnit = false
        /// The properties of the service's systemd unit, or `nil` if `systemctl` cannot read them.
        var unit: [String: String]?
        /// Whether `framefastd --diagnose` made the diagnosis in place of the running daemon.
        var hasOfflineDiagnosis: Bool
        /// Whether the clock is synchronized over the network. `nil` if this is unknown, or if the daemon
        /// already reports a synchronized clock.
        var isClockSynchronized: Bool?
    }

    /// The membership of this user and this process in group `framefast`.
    enum Membership: Hashable {
        /// The group does not exist.
        case noGroup
        /// The user is not a member.
        case notMember
        /// The user joined the group after the login of this process.
        case needsNewLogin
        /// The group is in effect for this process.
        case active
    }

    let facts: Facts

    var checks: [DiagnosisReply.Check] {
        [service, socket, access, version, diagnosis, clock].compactMap { $0 }
    }

    private static func check(
        _ id: String, _ title: String, _ verdict: DiagnosisReply.Level, _ sentence: String,
        _ steps: [String] = []
    ) -> DiagnosisReply.Check {
        .init(id: id, title: title, verdict: verdict, sentence: sentence, steps: steps)
    }

    /// The prefix of commands that need root. Empty for root.
    private var sudo: String { facts.isRoot ? "" : "sudo " }
    private var systemctl: String { facts.isUserUnit ? "systemctl --user" : "\(sudo)systemctl" }
    private var journal: String {
        facts.isUserUnit ? "journalctl --user -u framefastd" : "\(sudo)journalctl -u framefastd"
    }

    private var service: DiagnosisReply.Check? {
        guard let unit = facts.unit else { return nil }
        let name = facts.isUserUnit ? "The user service framefastd" : "The service framefastd"
        let check = { (verdict: DiagnosisReply.Level, sentence: String, steps: [String]) in
            Self.check("service", "Service", verdict, sentence, steps)
        }
        let isResponding = facts.failure == nil
        let bad: DiagnosisReply.Level = isResponding ? .info : .danger
        switch unit["LoadState"] {
        case "loaded": break
        case "masked":
            return check(
                bad, "\(name) is disabled (masked).",
                isResponding
                    ? []
                    : [
                        "Enable it with `\(systemctl) unmask framefastd` and `\(systemctl) start framefastd`.",
                        "Or start a user service with `systemctl --user enable --now framefastd`.",
                    ])
        default:
            return check(
                isResponding ? .info : .warning, "systemd has no unit framefastd.",
                isResponding ? [] : ["Install the package, or start `framefastd` manually."])
        }
        let restarts = Int(unit["NRestarts"] ?? "") ?? 0
        switch unit["ActiveState"] {
        case "active" where restarts == 0: return check(.ok, "\(name) is running.", [])
        case "active":
            return check(
                .warning, "\(name) is running, but systemd has restarted it \(restarts) times.",
                ["See why with `\(journal)`."])
        case "failed":
            return check(
                .danger, "\(name) failed (\(unit["Result"] ?? "reason unknown")).",
                [
                    "See why with `\(journal) -n 50`.",
                    "Start it again with `\(systemctl) restart framefastd`.",
                ])
        default:
            return check(
                bad, "\(name) is not running (\(unit["ActiveState"] ?? "state unknown")).",
                isResponding ? [] : ["Start it with `\(systemctl) start framefastd`."])
        }
    }

    private var socket: DiagnosisReply.Check {
        let path = facts.socketPath
        let check = { (verdict: DiagnosisReply.Level, sentence: String, steps: [String]) in
            Self.check("socket", "Socket", verdict, sentence, steps)
        }
        switch facts.failure {
        case nil, .refused: return check(.ok, "framefastd responds at \(path).", [])
        case .noPermission: return check(.info, "The socket \(path) exists.", [])
        case .unreachable(_, .noSocket):
            return check(
                .danger, "framefastd is not running: there is no socket at \(path).",
                [
                    "Start it with `\(systemctl) start framefastd`.",
                    "If framefastd uses another socket, give its path with --socket.",
                ])
        case .unreachable(_, .noListener):
            return check(
                .danger, "framefastd is not running: nothing responds at \(path).",
                ["Start it with `\(systemctl) restart framefastd`."])
        case .unreachable(_, .unusable(let reason)):
            return check(
                .danger, "The socket \(path) cannot be used: \(reason).",
                ["Set another socket with --socket."])
        case .timedOut, .connectionClosed:
            return check(
                .danger, "framefastd is running but does not respond.",
                [
                    "See its log with `\(journal)`.",
                    "Restart it with `\(systemctl) restart framefastd`. Photos on the cameras are not lost.",
                ])
        case .invalidResponse, .socketError:
            return check(
                .danger, "Cannot parse the response from \(path).",
                ["Update framefast and framefastd to the same version."])
        }
    }

    /// Whether the service runs but refuses this user.
    var isForbidden: Bool {
        switch facts.failure {
        case .noPermission: true
        case .refused(let detail): detail.code == .forbidden
        default: false
        }
    }

    private var access: DiagnosisReply.Check? {
        let check = { (verdict: DiagnosisReply.Level, sentence: String, steps: [String]) in
            Self.check("access", "Permission", verdict, sentence, steps)
        }
        let mayControl = facts.isRoot || facts.isServiceUser || facts.membership == .active
        if facts.failure == nil {
            return mayControl
                ? check(.ok, "This user has access to FrameFast.", [])
                : check(
                    .info, "This user has read-only access: \(reason)", remedy)
        }
        guard isForbidden else { return nil }
        if facts.isUserUnit {
            return check(.danger, "This service belongs to another user and accepts only that user.", [])
        }
        return check(.danger, "framefastd refuses this user: \(reason)", remedy)
    }

    /// The reason why this user may not control the service.
    private var reason: String {
        switch facts.membership {
        case .noGroup: "group framefast does not exist."
        case .notMember: "the user is not in group framefast."
        case .needsNewLogin: "the user joined group framefast after this login."
        case .active: "the user is in group framefast, but the service still denies access."
        }
    }

    private var remedy: [String] {
        switch facts.membership {
        case .noGroup: ["Install the package, which creates the group.", "Or run the command with `sudo`."]
        case .notMember:
            [
                AccessAdvice.step,
                "To use FrameFast in this terminal without a new login, run `\(AccessAdvice.command)`.",
            ]
        case .needsNewLogin:
            ["Log out and log in again. Without a new login, run `\(AccessAdvice.command)`."]
        case .active:
            [
                "See why with `\(journal) -n 50`.",
                "Restart the service: `\(systemctl) restart framefastd`.",
            ]
        }
    }

    private var version: DiagnosisReply.Check? {
        guard let daemon = facts.daemonVersion else { return nil }
        guard daemon != facts.ownVersion else {
            return Self.check(
                "version", "Version", .ok, "framefast and framefastd both have version \(daemon).")
        }
        return Self.check(
            "version", "Version", .warning,
            "framefast has version \(facts.ownVersion), but framefastd has version \(daemon).",
            [
                "Update both to the same version.",
                "Restart the service: `\(systemctl) restart framefastd`.",
            ])
    }

    private var diagnosis: DiagnosisReply.Check? {
        guard facts.failure != nil, !facts.hasOfflineDiagnosis else { return nil }
        guard !isForbidden else {
            return Self.check(
                "diagnosis", "Diagnosis", .info,
                """
                The cameras, the disk and the ledger were not checked, because the service refuses this \
                user. To check them, run `sudo framefast doctor`.
                """)
        }
        return Self.check(
            "diagnosis", "Diagnosis", .warning,
            "Cameras, udev rules, disk and clock were not checked, because framefastd did not respond.",
            ["Once framefastd is installed and running, run `framefast doctor` again."])
    }

    private var clock: DiagnosisReply.Check? {
        switch facts.isClockSynchronized {
        case true?: Self.check("clock", "Clock", .ok, "The clock is synchronized over the network.")
        case false?:
            Self.check(
                "clock", "Clock", .info,
                "The clock is not synchronized over the network. FrameFast compares camera clocks with this computer's clock.",
                ["Turn on time synchronization: `\(sudo)timedatectl set-ntp true`"])
        case nil: nil
        }
    }
}
