import FrameFastSystem
import Glibc

/// A check of a configuration's folders and files before the service starts. The check determines whether the
/// service could save photos, and use the folders and files of the destinations. If possible, systemd runs
/// the check in a process with the user and the sandbox of the service.
struct FolderCheck: Sendable {
    /// The results of the check. Each result is a sentence with the next step.
    struct Findings: Hashable {
        /// The faults that prevent the service from saving or uploading photos.
        var faults: [String] = []
        /// The checks that were not possible, the checks that did not run as the service, and the folders
        /// whose disk is missing.
        var warnings: [String] = []
        /// The paths that do not respond. ``faults`` and ``warnings`` contain a sentence for each path.
        var unresponsivePaths: Set<String> = []

        /// Adds a path that does not respond.
        mutating func addUnresponsivePath(_ path: String, prefix: String = "", isWarning: Bool) {
            unresponsivePaths.insert(path)
            let text = prefix + CheckProcess.noResponse(of: [path])
            if isWarning { warnings.append(text) } else { faults.append(text) }
        }
    }

    /// A place that responds, with the results of its trials.
    struct TriedPlace {
        let place: ServicePlace
        /// Whether the service has used the folder before. Also `true` if this user can't determine it.
        let wasUsed: Bool
        /// The result outside of the sandbox.
        let outside: FolderTrialResult
        /// The result in the sandbox, or `nil` if the trial did not run there.
        var inside: FolderTrialResult?

        /// The result with the user and the sandbox of the service, if possible.
        var result: FolderTrialResult { inside ?? outside }
        /// Whether photos wait if the folder's disk is missing.
        var mayBeAway: Bool { place.mustBeMount || wasUsed }
        /// Whether the folder's disk is missing, and photos wait for the disk.
        var isAway: Bool {
            mayBeAway && !((wasUsed ? outside.isMarked : nil) ?? !outside.isOnRootDisk)
        }
    }

    /// The places to test: first all folders, then all files.
    let places: [ServicePlace]
    /// Whether the check is for the system service. `false` for a user service or another configuration.
    let isSystemService: Bool
    /// Whether flags select a configuration, which may be for the service or for a manual test.
    var isByFlags = false
    /// This program, and the options with which it tests ``places`` outside of the sandbox.
    let program: String
    let options: [String]
    var isRoot = geteuid() == 0
    var sandbox = ServiceSandbox()
    var run = CheckProcess.run

    /// Tests the places and returns the results.
    func findings() async -> Findings {
        var found = await trial()
        guard isByFlags, sandbox.isInstalled else { return found }
        found.warnings =
            found.faults + found.warnings + [
                "the folders were checked as this user, not as the service. Put the configuration into "
                    + "/etc/framefast/conf.d and run 'sudo framefastd --check-config'"
            ]
        found.faults = []
        return found
    }

    private func trial() async -> Findings {
        let isService = isSystemService && sandbox.isInstalled
        // A user service has this user's permissions. Its destinations report problems with their folders
        // and files themselves.
        let wanted = places.filter { isService || $0.destination == nil }
        guard !wanted.isEmpty else { return Findings() }
        guard var (tried, found) = await tryOutside(wanted, isService: isService) else {
            let names = wanted.map(\.path).joined(separator: ", ")
            return Findings(faults: ["cannot check \(names): run 'sudo framefastd --check-config'"])
        }
        var unit = ""
        var unseen: [String] = []
        if isService, isRoot, sandbox.isSystemdRunning, !tried.isEmpty {
            unit = await shownUnit()
            switch await tryInside(tried.map(\.place), unit: unit) {
            case .notRun: break
            case .impossible: found.faults.append(Self.noSandbox)
            case .noResponse:
                unseen = tried.map(\.place.path)
                // If a place did not respond outside of the sandbox, that place may also block this test. Its
                // fault is already listed.
                if found.unresponsivePaths.isEmpty {
                    found.faults.append(CheckProcess.noResponse(of: unseen))
                }
            case .ended(let results):
                for (one, result) in zip(tried, results) where result == nil {
                    found.addUnresponsivePath(
                        one.place.path, prefix: one.place.prefix, isWarning: one.mayBeAway)
                }
                tried = zip(tried, results).compactMap { one, result in
                    result.map {
                        TriedPlace(place: one.place, wasUsed: one.wasUsed, outside: one.outside, inside: $0)
                    }
                }
            }
        }
        for one in tried {
            if isUnseen(one, unit: unit), !unseen.contains(one.place.path) { unseen.append(one.place.path) }
            switch one.place.use {
            case .folder(let purpose):
                if isService, ServiceSandbox.isTemporary(one.outside.target, unit: unit) {
                    found.faults.append(Self.faultOfTemporaryFolder(one))
                } else if one.isAway {
                    if let warning = warningOfMissingDisk(one, purpose) { found.warnings.append(warning) }
                } else if let fault = faultOfFolder(one, purpose, isService: isService) {
                    found.faults.append(fault)
                }
            case .file(let key):
                if let fault = faultOfFile(one, key: key, unit: unit) { found.faults.append(fault) }
            }
        }
        if !unseen.isEmpty { found.warnings.append(warningOfUnseen(unseen)) }
        return found
    }

    /// Returns whether the trials could not determine if the service can use a place.
    private func isUnseen(_ one: TriedPlace, unit: String) -> Bool {
        if one.result.errno == nil { return true }
        guard case .file = one.place.use, one.inside == nil else { return false }
        // The sandbox may hide or replace the file's folder. A trial outside of the sandbox then sees other
        // files than the service. A missing file is excluded, because its destination reports the file.
        return sandbox.conceals(one.place.path, unit: unit) && !one.outside.isMissing
    }

    /// Tests places outside of the sandbox.
    ///
    /// - Returns: The places that respond, and the findings about the other places. `nil` if the test
    ///   process has no results.
    private func tryOutside(
        _ wanted: [ServicePlace], isService: Bool
    ) async -> (tried: [TriedPlace], found: Findings)? {
        let stateDirectory = sandbox.root + ServiceSandbox.stateDirectory
        let identities = isService ? wanted.compactMap(\.identity) : []
        let others = isService ? [stateDirectory] + identities : []
        let arguments = Self.arguments(for: wanted) + others.flatMap { ["--try-file", $0] }
        guard let results = await results(program, options + arguments, count: wanted.count + others.count)
        else { return nil }
        var known: [String: FolderTrialResult] = [:]
        for (path, result) in zip(others, results.dropFirst(wanted.count)) { known[path] = result }
        // systemd creates the state directory at the first start.
        let isNew = known[stateDirectory]?.isMissing == true
        var tried: [TriedPlace] = []
        var found = Findings()
        for (place, result) in zip(wanted, results)
        where !isNew || !place.path.isBelow(ServiceSandbox.stateDirectory) {
            let wasUsed = place.identity.map { known[$0]?.isMissing != true } ?? false
            if let result {
                tried.append(TriedPlace(place: place, wasUsed: wasUsed, outside: result))
            } else {
                found.addUnresponsivePath(
                    place.path, prefix: place.prefix, isWarning: place.mustBeMount || wasUsed)
            }
        }
        for identity in identities where known[identity] == nil {
            let folder = DurableFile.parent(of: identity)
            guard !found.unresponsivePaths.contains(where: { folder.isBelow($0) }) else { continue }
            found.addUnresponsivePath(folder, isWarning: false)
        }
        return (tried, found)
    }

    /// Returns the arguments of a test process.
    static func arguments(for places: [ServicePlace]) -> [String] {
        places.flatMap { [$0.option, $0.path] }
    }

    /// Runs a test process.
    ///
    /// - Returns: The results in the order of the tests, with `nil` for a test that does not end. The whole
    ///   value is `nil` if the process has no results.
    private func results(
        _ program: String, _ arguments: [String], count: Int
    ) async -> [FolderTrialResult?]? {
        guard let output = await run(program, arguments) else { return nil }
        return CheckProcess.results(in: output, count: count)
    }
}
