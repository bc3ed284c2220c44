import APIClient
import FoundationEssentials
import FrameFastAPI
import Glibc

extension ClientChecks.Facts {
    /// Collects the facts. Also returns the checks from the daemon or from `framefastd --diagnose`.
    static func collect(client: FrameFastClient) -> (facts: Self, checks: [DiagnosisReply.Check]) {
        var failure: ClientError?
        var checks: [DiagnosisReply.Check] = []
        do throws(ClientError) { checks = try client.call(\.service.diagnosis).value.checks } catch {
            failure = error
        }
        let serviceUnit = ServiceUnit(
            socketPath: client.socketPath, isUnreachable: failure?.isUnreachable == true)
        var facts = Self(
            socketPath: client.socketPath, failure: failure, ownVersion: ProductVersion.current,
            daemonVersion: failure == nil ? try? client.call(\.service.version).value.version : nil,
            membership: .ofThisProcess("framefast"), isRoot: geteuid() == 0,
            isServiceUser: owner(of: client.socketPath) == geteuid(),
            isUserUnit: serviceUnit.isUserUnit, unit: serviceUnit.properties, hasOfflineDiagnosis: false)
        // If the service runs but refuses this user, a diagnosis with this user's permissions would be
        // misleading.
        if failure != nil, !ClientChecks(facts: facts).isForbidden,
            let reply = runOfflineDiagnosis(serviceUnit)
        {
            facts.hasOfflineDiagnosis = true
            checks = reply.checks
        }
        // The service's sandbox can hide the time synchronization from the daemon. Read the state from
        // `timedatectl` instead.
        if !checks.contains(where: { $0.id == "clock" && $0.verdict == .ok }) {
            facts.isClockSynchronized = readClockSynchronization()
            if facts.isClockSynchronized != nil { checks.removeAll { $0.id == "clock" } }
        }
        return (facts, checks)
    }

    /// Runs `framefastd --diagnose`. Returns `nil` if the program is missing or prints no diagnosis.
    private static func runOfflineDiagnosis(_ serviceUnit: ServiceUnit) -> DiagnosisReply? {
        guard let path = ShortCommand.find("framefastd"),
            let result = ShortCommand.run(path, ["--diagnose"], environment: serviceUnit.environment),
            !result.output.isEmpty
        else { return nil }
        return try? WireCoder.decode(DiagnosisReply.self, from: Data(result.output))
    }

    /// Returns the owner of a socket, which is the user that the service runs as.
    private static func owner(of path: String) -> uid_t? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_uid : nil
    }

    /// Returns whether the clock is synchronized over the network, or `nil` if `timedatectl` does not report
    /// the state.
    private static func readClockSynchronization() -> Bool? {
        guard let path = ShortCommand.find("timedatectl"),
            let result = ShortCommand.run(
                path, ["show", "-p", "NTPSynchronized", "--value"], timeoutMs: 5000), result.status == 0
        else { return nil }
        switch String(decoding: result.output, as: UTF8.self).split(separator: "\n").first {
        case "yes": return true
        case "no": return false
        default: return nil
        }
    }
}

extension ClientError {
    /// Whether no daemon listens at the socket.
    var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
}

extension ClientChecks.Membership {
    /// Returns the membership from the groups of this process and from the user database.
    fileprivate static func ofThisProcess(_ name: String) -> Self {
        guard let group = getgrnam(name)?.pointee.gr_gid else { return .noGroup }
        // `groupsMax` is the kernel's limit, NGROUPS_MAX. The kernel's list may omit the effective group, so
        // also compare the effective group.
        var groups = [gid_t](repeating: 0, count: groupsMax)
        let held = getgroups(Int32(groups.count), &groups)
        if getegid() == group || groups.prefix(Int(max(held, 0))).contains(group) { return .active }
        guard let user = getpwuid(getuid())?.pointee else { return .notMember }
        var count = Int32(groups.count)
        let listed = getgrouplist(user.pw_name, user.pw_gid, &groups, &count)
        return listed >= 0 && groups.prefix(Int(count)).contains(group) ? .needsNewLogin : .notMember
    }

    private static var groupsMax: Int { 65536 }
}
