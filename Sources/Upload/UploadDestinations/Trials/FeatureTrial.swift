import FrameFastSystem
import UploadEngine

/// A trial that tests a server's features with two small files before the first photo.
///
/// If the test of a feature fails temporarily, the test is repeated. See
/// ``DestinationMemory/runTrial(_:isolation:clock:storing:_:)``.
struct FeatureTrial<Server: TrialServer> {
    let server: Server
    let memory: DestinationMemory
    let item: UploadItem
    /// The clock for the pauses before repeated tests.
    var clock = HostClock.system

    /// Runs the trial, records the observations, and returns the transfer plan.
    ///
    /// - Parameter testsTaken: Whether to test if the server refuses to overwrite an existing file. The test
    ///   is unnecessary for names from a user-defined template, because uploads always use these names.
    func run(testsTaken: Bool) async throws(UploadFailure) -> TransferPlan {
        var plan = try await plan(testsTaken: testsTaken)
        plan.refused = Set(DestinationFeature.allCases.filter { !memory.offers($0) })
        return plan
    }

    private func plan(testsTaken: Bool) async throws(UploadFailure) -> TransferPlan {
        let known = memory.capabilities
        if !known.offers(.remove), known[.rename] != nil {
            // Skips the trial, because the server does not delete files and each trial would leave two files.
            return TransferPlan(temporaryName: known.temporaryName)
        }
        guard let kind = try await temporaryName() else {
            return TransferPlan(temporaryName: .final, isUnproven: true)
        }
        let (first, second) = RemoteName.trials(item, kind)
        let firstPath = RemoteName.sibling(item.remoteName, first)
        let secondPath = RemoteName.sibling(item.remoteName, second)
        var plan = TransferPlan(temporaryName: kind)
        var names = [firstPath]
        var hadOutage = false
        do throws(UploadFailure) {
            func runTrial(
                _ feature: DestinationFeature, _ use: () async throws(UploadFailure) -> Bool?
            ) async throws(UploadFailure) -> Bool {
                try await memory.runTrial(
                    feature, clock: clock,
                    storing: { () throws(UploadFailure) in
                        hadOutage = true
                        // The rename may have succeeded although no response was received.
                        if feature == .rename { _ = try? await server.remove(secondPath) }
                        try await storeAgain(firstPath)
                    }, use)
            }
            _ = try await runTrial(.size) { () throws(UploadFailure) in
                try await server.size(firstPath) == TrialFile.bytes
            }
            _ = try await runTrial(.readBack) { () throws(UploadFailure) in
                try await server.readsBack(firstPath)
            }
            _ = try await runTrial(.featureList) { () throws(UploadFailure) in
                try await server.listsFeatures()
            }
            _ = try await runTrial(.fileTime) { () throws(UploadFailure) in
                try await server.reportsTime(firstPath)
            }
            _ = try await runTrial(.serverChecksum) { () throws(UploadFailure) in
                try await server.reportsChecksum(firstPath)
            }
            _ = try await runTrial(.sync) { () throws(UploadFailure) in try await server.sync(firstPath) }
            _ = try await runTrial(.modificationTime) { () throws(UploadFailure) in
                try await server.setTime(firstPath)
            }
            _ = try await runTrial(.append) { () throws(UploadFailure) in try await server.appends(firstPath)
            }
            _ = try await runTrial(.resume) { () throws(UploadFailure) in try await server.resumes(firstPath)
            }
            // Deletes the file of an interrupted trial.
            _ = try? await server.remove(secondPath)
            // A server that closed the connection may have deleted the file.
            if hadOutage { try await storeAgain(firstPath) }
            names.append(secondPath)
            let canRename = try await runTrial(.rename) { () throws(UploadFailure) in
                try await server.rename(firstPath, to: secondPath)
            }
            if canRename {
                if testsTaken {
                    try await server.store(firstPath)
                    plan.refusesTaken = try await refusesTaken(firstPath, secondPath)
                }
            } else {
                plan.temporaryName = .final
                names = [firstPath]
            }
        } catch {
            await remove(names)
            throw error
        }
        await remove(names)
        return plan
    }

    /// Stores a trial file that may already exist. Ignores a refusal to overwrite the file. After a temporary
    /// failure, such as a closed connection, checks that the file exists.
    private func storeAgain(_ name: String) async throws(UploadFailure) {
        _ = try? await server.remove(name)
        do throws(UploadFailure) { try await server.store(name) } catch {
            guard error.mayConcernOneRequest else { throw error }
            guard error.isOutage else { return }
            // The file may have grown in the append test.
            guard memory.offers(.size), let bytes = try? await server.size(name), bytes >= TrialFile.bytes
            else { throw error }
        }
    }

    /// Returns whether the server refuses to overwrite an existing file. A single temporary failure is
    /// inconclusive. After two temporary failures, returns `false`. Uploads then use unique names.
    private func refusesTaken(_ first: String, _ second: String) async throws(UploadFailure) -> Bool {
        for _ in 0..<2 {
            do throws(UploadFailure) { return try await !server.rename(first, to: second) } catch {
                guard error.mayConcernOneRequest else { throw error }
                // Any other refusal also means that the server kept the existing file.
                guard error.isOutage else { return true }
                // The rename may have succeeded, so both files are restored. Throws if the server fails for
                // every name.
                for name in [first, second] { try await storeAgain(name) }
            }
        }
        return false
    }

    /// Stores the first trial file under the first kind of temporary name that the server accepts.
    ///
    /// - Returns: The kind of name, or `nil` if the server accepts no temporary name.
    private func temporaryName() async throws(UploadFailure) -> TemporaryName? {
        let known = memory.capabilities.temporaryName
        var firstFailure: (kind: TemporaryName, failure: UploadFailure)?
        let kinds = TemporaryName.allCases.filter { $0 != .final }
        for kind in known == .final ? kinds[...] : kinds.drop(while: { $0 != known }) {
            let path = RemoteName.sibling(item.remoteName, RemoteName.trials(item, kind).first)
            do throws(UploadFailure) {
                try await server.store(path)
                guard let first = firstFailure else { return await recordAccepted(kind) }
                // If the first name failed temporarily, it is tested again, because the server has now stored
                // a file.
                if first.failure.isOutage, try await accepts(first.kind) {
                    await remove([path])
                    return await recordAccepted(first.kind)
                }
                for feature in kind.refused {
                    await memory.learn(feature, isOffered: false, reason: first.failure.sentence)
                }
                return await recordAccepted(kind)
            } catch {
                guard error.mayConcernOneRequest else {
                    // The server may have stored the file before the cancellation.
                    if error.kind == .cancelled { await remove([path]) }
                    throw error
                }
                firstFailure = firstFailure ?? (kind, error)
            }
        }
        // The server fails for every name, so the name is not the cause.
        if let firstFailure, firstFailure.failure.isOutage { throw firstFailure.failure }
        return nil
    }

    /// Returns whether the server accepts a kind of temporary name.
    private func accepts(_ kind: TemporaryName) async throws(UploadFailure) -> Bool {
        let path = RemoteName.sibling(item.remoteName, RemoteName.trials(item, kind).first)
        do throws(UploadFailure) { try await server.store(path) } catch {
            guard error.mayConcernOneRequest else { throw error }
            return false
        }
        return true
    }

    private func recordAccepted(_ kind: TemporaryName) async -> TemporaryName {
        for feature in kind.shown { await memory.learn(feature, isOffered: true) }
        return kind
    }

    /// Deletes the trial's files, even if the trial was cancelled. Ignores failures.
    private func remove(_ names: [String]) async {
        await TrialRemoval.run(clock: clock) { await removeEach(names) }
    }

    private func removeEach(_ names: [String]) async {
        for name in names {
            do throws(UploadFailure) {
                try await server.remove(name)
                await memory.learn(.remove, isOffered: true)
            } catch {
                // Records only a clear refusal, because this observation prevents all later trials.
                if error.mayConcernOneRequest, !error.isOutage, error.kind != .permanent(.notFound) {
                    await memory.learn(.remove, isOffered: false, reason: error.sentence)
                }
            }
        }
    }
}

extension UploadFailure {
    /// Whether the failure may concern only one request. `false` for failures of the account, the connection
    /// or this computer.
    var mayConcernOneRequest: Bool {
        switch kind {
        case .permanent(let reason): reason.isUnclear
        case .outage(let seconds): seconds == nil
        case .transient: true
        case .refused, .sourceAway, .cancelled: false
        }
    }

    /// Whether the failure is temporary.
    var isOutage: Bool {
        switch kind {
        case .outage, .transient: true
        default: false
        }
    }
}
