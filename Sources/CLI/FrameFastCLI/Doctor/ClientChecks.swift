import APIClient
import FrameFastAPI
import Localization

/// What the command line sees of the service from outside. The facts are collected in one place and judged in another.
struct ClientChecks {
    /// What was found.
    struct Facts {
        var socketPath: String
        /// Why the daemon gave no diagnosis; `nil` when it gave one.
        var failure: ClientError?
        var ownVersion: String
        /// The daemon's version; `nil` when it is not known.
        var daemonVersion: String?
        var membership: Membership
        var isRoot: Bool
        /// Whether the service runs as this user.
        var isServiceUser = false
        /// Whether the service in question is this login's own.
        var isOwnService = false
        /// Properties of its systemd unit; `nil` without systemd.
        var unit: [String: String]?
        /// Whether `framefastd --diagnose` spoke for the daemon.
        var hasStandIn: Bool
        /// Whether something keeps the clock right; `nil` when that is not known, or the daemon knows it is.
        var isClockKept: Bool?
    }

    /// How this user and this process stand to group `framefast`.
    enum Membership: Hashable {
        /// There is no such group.
        case noGroup
        /// The user is not in it.
        case none
        /// The user is, and this process began before that.
        case laterThanLogin
        /// This process is in it.
        case inForce
    }

    let facts: Facts

    var checks: [DiagnosisReply.Check] {
        [service, socket, access, version, diagnosis, clock].compactMap { $0 }
    }

    private static func check(
        _ id: String, _ title: String, _ verdict: DiagnosisReply.Verdict, _ sentence: String,
        _ steps: [String] = []
    ) -> DiagnosisReply.Check {
        .init(id: id, title: title, verdict: verdict, sentence: sentence, steps: steps)
    }

    /// In front of what only root may do.
    private var sudo: String { facts.isRoot ? "" : "sudo " }
    private var systemctl: String { facts.isOwnService ? localized("systemctl --user") : "\(sudo)systemctl" }
    private var journal: String {
        facts.isOwnService
            ? localized("journalctl --user -u framefastd") : localized("\(sudo)journalctl -u framefastd")
    }

    private var service: DiagnosisReply.Check? {
        guard let unit = facts.unit else { return nil }
        let name =
            facts.isOwnService ? localized("The service of this login") : localized("The service framefastd")
        let check = { (verdict: DiagnosisReply.Verdict, sentence: String, steps: [String]) in
            Self.check("service", localized("Service"), verdict, sentence, steps)
        }
        let answers = facts.failure == nil
        let bad: DiagnosisReply.Verdict = answers ? .info : .danger
        switch unit["LoadState"] {
        case "loaded": break
        case "masked":
            return check(
                bad, localized("\(name) is disabled (masked)."),
                answers
                    ? []
                    : [
                        localized(
                            "Enable it with `\(systemctl) unmask framefastd` and `\(systemctl) start framefastd`."
                        ),
                        localized(
                            "Or start a service of your own with `systemctl --user enable --now framefastd`."),
                    ])
        default:
            return check(
                answers ? .info : .warning, localized("systemd does not know a service framefastd."),
                answers ? [] : [localized("Install the package, or start `framefastd` manually.")])
        }
        let restarts = Int(unit["NRestarts"] ?? "") ?? 0
        switch unit["ActiveState"] {
        case "active" where restarts == 0: return check(.ok, localized("\(name) is running."), [])
        case "active":
            return check(
                .warning, localized("\(name) is running; it was restarted \(restarts) times."),
                [localized("See why with `\(journal)`.")])
        case "failed":
            return check(
                .danger, localized("\(name) failed (\(unit["Result"] ?? localized("reason unknown")))."),
                [
                    localized("See why with `\(journal) -n 50`."),
                    localized("Start it again with `\(systemctl) restart framefastd`."),
                ])
        default:
            return check(
                bad,
                localized("\(name) is not running (\(unit["ActiveState"] ?? localized("state unknown")))."),
                answers ? [] : [localized("Start it with `\(systemctl) start framefastd`.")])
        }
    }

    private var socket: DiagnosisReply.Check {
        let path = facts.socketPath
        let check = { (verdict: DiagnosisReply.Verdict, sentence: String, steps: [String]) in
            Self.check("socket", localized("Socket"), verdict, sentence, steps)
        }
        switch facts.failure {
        case nil, .refused: return check(.ok, localized("framefastd answers at \(path)."), [])
        case .noPermission: return check(.info, localized("A socket is at \(path)."), [])
        case .away(_, .noSocket):
            return check(
                .danger, localized("framefastd is not running: there is no socket at \(path)."),
                [
                    localized("Start it with `\(systemctl) start framefastd`."),
                    localized("If it uses another socket, name it with --socket."),
                ])
        case .away(_, .nobodyAnswers):
            return check(
                .danger, localized("framefastd is not running: nothing answers at \(path)."),
                [localized("Start it with `\(systemctl) restart framefastd`.")])
        case .away(_, .unusable(let reason)):
            return check(
                .danger, localized("The socket \(path) cannot be used: \(reason)."),
                [localized("Name another with --socket.")])
        case .timedOut, .cutShort:
            return check(
                .danger, localized("framefastd is running but does not answer."),
                [
                    localized("See what it is doing with `\(journal)`."),
                    localized(
                        "Restart it with `\(systemctl) restart framefastd`; photos on the cameras are not lost."
                    ),
                ])
        case .notUnderstood, .broken:
            return check(
                .danger, localized("The answer from \(path) cannot be understood."),
                [localized("Update framefast and framefastd to the same version.")])
        }
    }

    /// Whether the service runs and does not talk to this user.
    var isForbidden: Bool {
        switch facts.failure {
        case .noPermission: true
        case .refused(let detail): detail.code == .forbidden
        default: false
        }
    }

    private var access: DiagnosisReply.Check? {
        let check = { (verdict: DiagnosisReply.Verdict, sentence: String, steps: [String]) in
            Self.check("access", localized("Permission"), verdict, sentence, steps)
        }
        let mayControl = facts.isRoot || facts.isServiceUser || facts.membership == .inForce
        if facts.failure == nil {
            return mayControl
                ? check(.ok, localized("This user may use FrameFast."), [])
                : check(
                    .info, localized("This user may look but not control: \(reason)"), remedy)
        }
        guard isForbidden else { return nil }
        if facts.isOwnService {
            return check(
                .danger, localized("This service belongs to another user and accepts no one else."), [])
        }
        return check(.danger, localized("framefastd refuses this user: \(reason)"), remedy)
    }

    /// Why this user may not control the service.
    private var reason: String {
        switch facts.membership {
        case .noGroup: localized("there is no group framefast.")
        case .none: localized("it is not in group framefast.")
        case .laterThanLogin: localized("this login is older than its membership of group framefast.")
        case .inForce: localized("it is in group framefast and was refused anyway.")
        }
    }

    private var remedy: [String] {
        switch facts.membership {
        case .noGroup:
            [
                localized("Install the package; it creates the group."),
                localized("Or run the command with `sudo`."),
            ]
        case .none:
            [
                localized("Add this user to the group: `sudo usermod -aG framefast $USER`."),
                localized("Log out and in again."),
            ]
        case .laterThanLogin:
            [localized("Log out and in again. For one command: `sg framefast -c 'framefast status'`.")]
        case .inForce:
            [
                localized("See why with `\(journal) -n 50`."),
                localized("Restart the service: `\(systemctl) restart framefastd`."),
            ]
        }
    }

    private var version: DiagnosisReply.Check? {
        guard let daemon = facts.daemonVersion else { return nil }
        guard daemon != facts.ownVersion else {
            return Self.check(
                "version", localized("Version"), .ok,
                localized("framefast and framefastd are both \(daemon)."))
        }
        return Self.check(
            "version", localized("Version"), .warning,
            localized("framefast is \(facts.ownVersion), framefastd is \(daemon)."),
            [
                localized("Update both to the same version."),
                localized("Restart the service: `\(systemctl) restart framefastd`."),
            ])
    }

    private var diagnosis: DiagnosisReply.Check? {
        guard facts.failure != nil, !facts.hasStandIn else { return nil }
        guard !isForbidden else {
            return Self.check(
                "diagnosis", localized("Diagnosis"), .info,
                localized(
                    """
                    Cameras, disk and ledger could not be checked, because the service refuses this user: \
                    run `sudo framefast doctor`.
                    """))
        }
        return Self.check(
            "diagnosis", localized("Diagnosis"), .warning,
            localized("Cameras, udev rules, disk and clock were not checked: framefastd did not answer."),
            [localized("Once framefastd is installed and running, run `framefast doctor` again.")])
    }

    private var clock: DiagnosisReply.Check? {
        switch facts.isClockKept {
        case true?:
            Self.check(
                "clock", localized("Clock"), .ok, localized("The clock is synchronised over the network."))
        case false?:
            Self.check(
                "clock", localized("Clock"), .info,
                localized(
                    "The clock is not synchronised over the network, and camera clocks are compared with it."),
                [localized("Turn on time synchronisation: `\(sudo)timedatectl set-ntp true`")])
        case nil: nil
        }
    }
}
