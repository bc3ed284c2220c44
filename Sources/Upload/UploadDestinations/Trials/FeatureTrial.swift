import UploadEngine

/// Finds the features that a server refuses, with two small files, before a photo meets the refusal.
///
/// A feature that meets an outage is tried once more; see ``DestinationMemory/tryOut(_:isolation:pause:storing:_:)``.
struct FeatureTrial<Server: TrialServer> {
    let server: Server
    let memory: DestinationMemory
    let item: UploadItem
    /// Time between two uses of a feature that met an outage.
    var pause = Duration.seconds(1)

    /// Tries the server out, and records what it found.
    ///
    /// - Parameter testsTaken: Whether the answer to a taken name is needed; a person's own template is kept whatever it is.
    func run(testsTaken: Bool) async throws(UploadFailure) -> TransferPlan {
        var plan = try await plan(testsTaken: testsTaken)
        plan.refused = Set(DestinationFeature.allCases.filter { !memory.offers($0) })
        return plan
    }

    private func plan(testsTaken: Bool) async throws(UploadFailure) -> TransferPlan {
        let known = memory.capabilities
        if !known.offers(.remove), known[.rename] != nil {
            // Each trial would leave its files there.
            return TransferPlan(temporaryName: known.temporaryName)
        }
        guard let kind = try await temporaryName() else {
            return TransferPlan(temporaryName: .final, isUnproven: true)
        }
        let (first, second) = RemoteName.trials(item, kind)
        let firstPath = RemoteName.beside(item.remoteName, first)
        let secondPath = RemoteName.beside(item.remoteName, second)
        var plan = TransferPlan(temporaryName: kind)
        var names = [firstPath]
        var hadOutage = false
        do throws(UploadFailure) {
            func tryOut(
                _ feature: DestinationFeature, _ use: () async throws(UploadFailure) -> Bool?
            ) async throws(UploadFailure) -> Bool {
                try await memory.tryOut(
                    feature, pause: pause,
                    storing: { () throws(UploadFailure) in
                        hadOutage = true
                        // A rename may have gone through, and its answer was lost.
                        if feature == .rename { _ = try? await server.remove(secondPath) }
                        try await storeAgain(firstPath)
                    }, use)
            }
            _ = try await tryOut(.size) { () throws(UploadFailure) in
                try await server.size(firstPath) == TakenNames.bytes
            }
            _ = try await tryOut(.readBack) { () throws(UploadFailure) in
                try await server.readsBack(firstPath)
            }
            _ = try await tryOut(.featureList) { () throws(UploadFailure) in
                try await server.listsFeatures()
            }
            _ = try await tryOut(.fileTime) { () throws(UploadFailure) in
                try await server.tellsTime(firstPath)
            }
            _ = try await tryOut(.serverChecksum) { () throws(UploadFailure) in
                try await server.tellsChecksum(firstPath)
            }
            _ = try await tryOut(.sync) { () throws(UploadFailure) in try await server.sync(firstPath) }
            _ = try await tryOut(.modificationTime) { () throws(UploadFailure) in
                try await server.setTime(firstPath)
            }
            _ = try await tryOut(.append) { () throws(UploadFailure) in try await server.appends(firstPath) }
            _ = try await tryOut(.resume) { () throws(UploadFailure) in try await server.resumes(firstPath) }
            // Left by a trial that was cut off.
            _ = try? await server.remove(secondPath)
            // A server that ended a connection may have dropped the file with it.
            if hadOutage { try await storeAgain(firstPath) }
            names.append(secondPath)
            let canRename = try await tryOut(.rename) { () throws(UploadFailure) in
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

    /// Stores the trial file that may be there still: a server may refuse that, or end the connection. Then the file has to
    /// be there.
    private func storeAgain(_ name: String) async throws(UploadFailure) {
        _ = try? await server.remove(name)
        do throws(UploadFailure) { try await server.store(name) } catch {
            guard error.isOfOneFeature else { throw error }
            guard error.isOutage else { return }
            // Appending may have made it longer.
            guard memory.offers(.size), let bytes = try? await server.size(name), bytes >= TakenNames.bytes
            else { throw error }
        }
    }

    /// Whether the server refuses a name that is taken. An outage is no answer: if it comes twice, the server counts as one
    /// that replaces, and photos get names that no other station makes.
    private func refusesTaken(_ first: String, _ second: String) async throws(UploadFailure) -> Bool {
        for _ in 0..<2 {
            do throws(UploadFailure) { return try await !server.rename(first, to: second) } catch {
                guard error.isOfOneFeature else { throw error }
                // The refusal has another status than that of a taken name: nothing was replaced.
                guard error.isOutage else { return true }
                // Throws if it is the server and not the name. The rename may have gone through, and both files are needed.
                for name in [first, second] { try await storeAgain(name) }
            }
        }
        return false
    }

    /// The first kind of temporary name that the server takes; the first trial file has it then.
    ///
    /// - Returns: `nil` if the server takes none.
    private func temporaryName() async throws(UploadFailure) -> TemporaryName? {
        let known = memory.capabilities.temporaryName
        var firstFailure: (kind: TemporaryName, failure: UploadFailure)?
        let kinds = TemporaryName.allCases.filter { $0 != .final }
        for kind in known == .final ? kinds[...] : kinds.drop(while: { $0 != known }) {
            let path = RemoteName.beside(item.remoteName, RemoteName.trials(item, kind).first)
            do throws(UploadFailure) {
                try await server.store(path)
                guard let first = firstFailure else { return await found(kind) }
                // A name that met trouble is tried once more, now that the server has stored a file.
                if first.failure.isOutage, try await takes(first.kind) {
                    await remove([path])
                    return await found(first.kind)
                }
                for feature in kind.refused {
                    await memory.learn(feature, isOffered: false, reason: first.failure.sentence)
                }
                return await found(kind)
            } catch {
                guard error.isOfOneFeature else {
                    // The server may have stored the file before the upload was stopped.
                    if error.kind == .cancelled { await remove([path]) }
                    throw error
                }
                firstFailure = firstFailure ?? (kind, error)
            }
        }
        // Whatever the name is, the server has trouble of its own.
        if let firstFailure, firstFailure.failure.isOutage { throw firstFailure.failure }
        return nil
    }

    /// Whether the server takes a kind of temporary name.
    private func takes(_ kind: TemporaryName) async throws(UploadFailure) -> Bool {
        let path = RemoteName.beside(item.remoteName, RemoteName.trials(item, kind).first)
        do throws(UploadFailure) { try await server.store(path) } catch {
            guard error.isOfOneFeature else { throw error }
            return false
        }
        return true
    }

    private func found(_ kind: TemporaryName) async -> TemporaryName {
        for feature in kind.shown { await memory.learn(feature, isOffered: true) }
        return kind
    }

    /// Removes the files of the trial, also if it was stopped; a server may keep them.
    private func remove(_ names: [String]) async { await TrialRemoval.run { await removeEach(names) } }

    private func removeEach(_ names: [String]) async {
        for name in names {
            do throws(UploadFailure) {
                try await server.remove(name)
                await memory.learn(.remove, isOffered: true)
            } catch {
                // Without this feature nothing is tried out again: an outage is no proof.
                if error.isOfOneFeature, !error.isOutage, error.kind != .permanent(.notFound) {
                    await memory.learn(.remove, isOffered: false, reason: error.sentence)
                }
            }
        }
    }
}

extension UploadFailure {
    /// Whether the failure may be about one request, rather than about the account or the line.
    var isOfOneFeature: Bool {
        switch kind {
        case .permanent(let reason): reason.isUnclear
        case .outage(let seconds): seconds == nil
        case .transient: true
        case .refused, .sourceAway, .cancelled: false
        }
    }

    /// Whether the failure may pass by itself.
    var isOutage: Bool {
        switch kind {
        case .outage, .transient: true
        default: false
        }
    }
}
