import APIClient
import FoundationEssentials
import FrameFastAPI
import Glibc

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
        /// Whether group `framefast` exists, and whether this process is in it; `nil` when there is no such group.
        var isInGroup: Bool?
        var isRoot: Bool
        /// Properties of the systemd unit; `nil` without systemd.
        var unit: [String: String]?
        /// Whether `framefastd --diagnose` spoke for the daemon.
        var hasStandIn: Bool
    }

    let facts: Facts

    var checks: [DiagnosisReply.Check] {
        [service, socket, access, version, standIn].compactMap { $0 }
    }

    private var service: DiagnosisReply.Check? {
        guard let unit = facts.unit else { return nil }
        let check = { (verdict: DiagnosisReply.Verdict, sentence: String, steps: [String]) in
            DiagnosisReply.Check(
                id: "service", title: "Service", verdict: verdict, sentence: sentence, steps: steps)
        }
        let answers = facts.failure == nil
        guard unit["LoadState"] == "loaded" else {
            return check(
                answers ? .info : .warning, "systemd does not know a service framefastd.",
                answers ? [] : ["Install the package, or start `framefastd` by hand."])
        }
        let restarts = Int(unit["NRestarts"] ?? "") ?? 0
        switch unit["ActiveState"] {
        case "active" where restarts == 0: return check(.ok, "The service framefastd is running.", [])
        case "active":
            return check(
                .warning, "The service framefastd is running; it was restarted \(restarts) times.",
                ["See why with `journalctl -u framefastd`."])
        case "failed":
            return check(
                .danger, "The service framefastd failed (\(unit["Result"] ?? "for a reason unknown")).",
                [
                    "See why with `journalctl -u framefastd -n 50`.",
                    "Start it again with `systemctl restart framefastd`.",
                ])
        default:
            return check(
                answers ? .info : .danger,
                "The service framefastd is not running (\(unit["ActiveState"] ?? "state unknown")).",
                answers ? [] : ["Start it with `systemctl start framefastd`."])
        }
    }

    private var socket: DiagnosisReply.Check {
        let path = facts.socketPath
        let check = { (verdict: DiagnosisReply.Verdict, sentence: String, steps: [String]) in
            DiagnosisReply.Check(
                id: "socket", title: "Socket", verdict: verdict, sentence: sentence, steps: steps)
        }
        switch facts.failure {
        case nil, .refused: return check(.ok, "framefastd answers at \(path).", [])
        case .noPermission: return check(.info, "There is a socket at \(path).", [])
        case .away(_, .noSocket):
            return check(
                .danger, "framefastd is not running: there is no socket at \(path).",
                [
                    "Start it with `systemctl start framefastd`.",
                    "If it runs with another socket, name it with --socket.",
                ])
        case .away(_, .nobodyAnswers):
            return check(
                .danger, "framefastd is not running: nobody answers at \(path).",
                ["Start it with `systemctl restart framefastd`."])
        case .away(_, .unusable(let reason)):
            return check(
                .danger, "The socket \(path) cannot be used: \(reason).", ["Name another with --socket."])
        case .timedOut, .cutShort:
            return check(
                .danger, "framefastd is there and does not answer.",
                [
                    "See what it is doing with `journalctl -u framefastd`.",
                    "Restart it with `systemctl restart framefastd`; photos on the cameras are not lost.",
                ])
        case .notUnderstood, .broken:
            return check(
                .danger, "What answers at \(path) is not understood.",
                ["Update framefast and framefastd to the same version."])
        }
    }

    private var access: DiagnosisReply.Check? {
        let check = { (verdict: DiagnosisReply.Verdict, sentence: String, steps: [String]) in
            DiagnosisReply.Check(
                id: "access", title: "Permission", verdict: verdict, sentence: sentence, steps: steps)
        }
        var isForbidden = false
        switch facts.failure {
        case .noPermission: isForbidden = true
        case .refused(let detail): isForbidden = detail.code == .forbidden
        default: break
        }
        if isForbidden {
            return check(
                .danger, "This user may not talk to framefastd.",
                facts.isInGroup == true
                    ? ["Log out and in again: this login is older than its membership of group framefast."]
                    : [
                        "Add this user to the group: `sudo usermod -aG framefast $USER`.",
                        "Log out and in again.",
                    ])
        }
        if facts.isRoot || facts.isInGroup == true || facts.failure == nil {
            return check(.ok, "This user may use FrameFast.", [])
        }
        return nil
    }

    private var version: DiagnosisReply.Check? {
        guard let daemon = facts.daemonVersion else { return nil }
        let isSame = daemon == facts.ownVersion
        return .init(
            id: "version", title: "Version", verdict: isSame ? .ok : .warning,
            sentence: isSame
                ? "framefast and framefastd are both \(daemon)."
                : "framefast is \(facts.ownVersion), framefastd is \(daemon).",
            steps: isSame
                ? []
                : [
                    "Update both to the same version.",
                    "Restart the service: `systemctl restart framefastd`.",
                ])
    }

    private var standIn: DiagnosisReply.Check? {
        guard facts.failure != nil, !facts.hasStandIn else { return nil }
        return .init(
            id: "diagnosis", title: "Diagnosis", verdict: .warning,
            sentence: "Cameras, rules, disk and clock were not looked at: framefastd gave no diagnosis.",
            steps: ["Once framefastd is installed and runs, run `framefast doctor` again."])
    }
}

extension ClientChecks.Facts {
    /// Looks around.
    static func collect(client: FrameFastClient) -> (facts: Self, checks: [DiagnosisReply.Check]) {
        var failure: ClientError?
        var checks: [DiagnosisReply.Check] = []
        do throws(ClientError) { checks = try client.diagnosis().value.checks } catch { failure = error }
        var hasStandIn = false
        if failure != nil, let reply = standIn() {
            hasStandIn = true
            checks = reply.checks
        }
        let facts = Self(
            socketPath: client.socketPath, failure: failure, ownVersion: ProductVersion.current,
            daemonVersion: failure == nil ? try? client.version().value.version : nil,
            isInGroup: isInGroup("framefast"), isRoot: geteuid() == 0, unit: unit(), hasStandIn: hasStandIn)
        return (facts, checks)
    }

    /// The daemon's own eyes without the daemon.
    private static func standIn() -> DiagnosisReply? {
        guard let path = ChildProcess.find("framefastd"),
            let result = ChildProcess.run(path, ["--diagnose"]), !result.output.isEmpty
        else { return nil }
        return try? WireCoder.decode(DiagnosisReply.self, from: Data(result.output))
    }

    private static func isInGroup(_ name: String) -> Bool? {
        guard let group = getgrnam(name)?.pointee else { return nil }
        if getegid() == group.gr_gid { return true }
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = getgroups(Int32(groups.count), &groups)
        if count > 0, groups[..<Int(count)].contains(group.gr_gid) { return true }
        return false
    }

    private static func unit() -> [String: String]? {
        guard Glibc.access("/run/systemd/system", F_OK) == 0, let path = ChildProcess.find("systemctl"),
            let result = ChildProcess.run(
                path,
                [
                    "show", "framefastd.service", "-p",
                    "LoadState,ActiveState,SubState,Result,NRestarts",
                ], timeoutMs: 5000), result.status == 0
        else { return nil }
        var properties: [String: String] = [:]
        for line in String(decoding: result.output, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
        }
        return properties
    }
}
