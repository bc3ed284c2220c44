import Foundation
import UploadEngine

/// A destination on an SFTP server. FrameFast's SFTP client runs over OpenSSH's `ssh -s HOST sftp`. OpenSSH
/// handles keys, agents, certificates, jump hosts and host keys. Four uploads share a connection. For more
/// uploads, the destination opens up to three further connections, if the server allows them.
actor SFTPDestination: UploadDestination {
    private struct PooledConnection {
        let connection: SFTPConnection
        var uploads = 0
    }

    /// The largest number of connections. Each connection is a process on the server, and OpenSSH drops new
    /// connections while 10 others are signing in (MaxStartups).
    private static let connectionsMax = 4
    /// The number of uploads that share a connection before the destination opens a further connection.
    private static let uploadsPerConnection = 4

    let settings: SFTPSettings
    private let pace: UploadPace?
    private let memory: DestinationMemory
    private let plans = TransferPlans()
    private var pool: [PooledConnection] = []
    private var mayOpenMore = true
    private var opening: Task<Result<SFTPConnection, UploadFailure>, Never>?
    private var isClosed = false

    /// Creates a destination. The first request opens a connection.
    init(_ settings: SFTPSettings, memory: DestinationMemory = DestinationMemory()) {
        self.settings = settings
        self.memory = memory
        pace = settings.bytesPerSecondMax.map { UploadPace(bytesPerSecond: UInt64(max($0, 1))) }
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let photo = try PhotoFile(item)
        return try await plans.upload { () throws(UploadFailure) in
            let trial = SFTPTrial(settings: self.settings) { () throws(UploadFailure) in
                try await self.connected()
            }
            return try await FeatureTrial(server: trial, memory: self.memory, item: item)
                .run(testsTaken: !item.isNameChosen)
        } _: { plan throws(UploadFailure) in
            try await self.upload(item, photo, plan, progress)
        }
    }

    private func upload(
        _ item: UploadItem, _ photo: PhotoFile, _ plan: TransferPlan,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let connection = try await leaseConnection()
        defer { returnConnection(connection) }
        let upload = SFTPUpload(
            connection: connection, settings: settings, item: item, photo: photo, pace: pace, plan: plan,
            memory: memory, progress: progress)
        do { return try await upload.run() } catch {
            throw await failure(error, on: connection, at: upload.partPath, needing: item.bytes)
        }
    }

    /// Checks that the server is reachable and accepts requests.
    func probe() async throws(UploadFailure) {
        let connection = try await connected()
        do { _ = try await connection.session.send(.absolutePath(path: ".")).reply() } catch {
            throw await failure(error, on: connection, at: settings.path(of: "."), needing: 0)
        }
    }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        let connection = try await connected()
        let path = settings.path(of: name)
        do { try await connection.session.send(.remove(path: path)).ok() } catch {
            throw await failure(error, on: connection, at: path, needing: 0)
        }
    }

    /// Deletes the part file under each possible name. Throws a refusal only if the server still shows the
    /// part file.
    func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {
        let connection = try await connected()
        let paths = RemoteName.partPaths(item).map { settings.path(of: $0) }
        let removals = connection.session.send(paths.map { .remove(path: $0) })
        var refused: UploadFailure?
        for (path, pending) in zip(paths, removals) {
            do throws(SFTPError) { try await pending.ok() } catch {
                guard case .status(let status, let text) = error else {
                    throw await connection.explain(error)
                }
                guard !status.isMissing, try await shows(path, connection) else { continue }
                refused = SFTPFailureMapping.failure(status: status, text: text, path: path, at: .remove)
            }
        }
        if let refused { throw refused }
    }

    /// Returns whether the server shows a file at a path. Returns `false` if the server refuses to check the
    /// path.
    private func shows(_ path: String, _ connection: SFTPConnection) async throws(UploadFailure) -> Bool {
        do throws(SFTPError) {
            return try await connection.session.send(.linkFacts(path: path)).facts() != nil
        } catch {
            guard case .status = error else { throw await connection.explain(error) }
            return false
        }
    }

    func relearnFeatures() async { await plans.reset() }

    func replacesTakenNames() async -> Bool? { await plans.refusesTaken.map { !$0 } }

    /// Closes all connections and stops their ssh processes.
    func close() async {
        isClosed = true
        if case .success(let connection)? = await opening?.value { await connection.close() }
        for pooled in pool { await pooled.connection.close() }
        pool = []
    }

    // MARK: Connections

    /// Returns the connection with the fewest uploads, or a new connection if each has enough uploads. The
    /// caller must return the connection with ``returnConnection(_:)``.
    ///
    /// A server handles the requests of one connection in order. An fsync therefore delays the requests after
    /// it. With several connections, the server can sync several files at the same time.
    private func leaseConnection() async throws(UploadFailure) -> SFTPConnection {
        var chosen = try await connected()
        if load(of: chosen) >= Self.uploadsPerConnection, mayOpenMore, opening == nil,
            pool.count(where: \.connection.session.isAlive) < Self.connectionsMax
        {
            // The server may allow fewer connections. Uploads then share the existing connections.
            do { chosen = try await open() } catch {
                if error.kind == .cancelled { throw error }
                mayOpenMore = false
            }
        }
        if let index = pool.firstIndex(where: { $0.connection === chosen }) { pool[index].uploads += 1 }
        return chosen
    }

    private func returnConnection(_ connection: SFTPConnection) {
        if let index = pool.firstIndex(where: { $0.connection === connection }) { pool[index].uploads -= 1 }
    }

    private func load(of connection: SFTPConnection) -> Int {
        pool.first { $0.connection === connection }?.uploads ?? 0
    }

    /// Returns the open connection with the fewest uploads. Opens the first connection if necessary.
    private func connected() async throws(UploadFailure) -> SFTPConnection {
        let living = pool.filter(\.connection.session.isAlive)
        if let quietest = living.min(by: { $0.uploads < $1.uploads }) { return quietest.connection }
        mayOpenMore = true
        return try await open()
    }

    /// Opens a connection. If another task is opening a connection, waits for that connection instead.
    private func open() async throws(UploadFailure) -> SFTPConnection {
        if isClosed { throw UploadFailure.stopped }
        if let fault = settings.faults.first {
            throw UploadFailure(
                .permanent(.misconfigured), fault, nextStep: "Correct the destination's settings.")
        }
        let attempt: Task<Result<SFTPConnection, UploadFailure>, Never>
        if let opening {
            attempt = opening
        } else {
            let dead = pool.filter { !$0.connection.session.isAlive }
            pool.removeAll { !$0.connection.session.isAlive }
            attempt = Task { [settings] in
                for pooled in dead { await pooled.connection.close() }
                do throws(UploadFailure) { return .success(try await SFTPConnection.open(settings)) } catch {
                    return .failure(error)
                }
            }
            opening = attempt
        }
        let result = await attempt.value
        if opening == attempt {
            opening = nil
            if case .success(let connection) = result {
                pool.append(PooledConnection(connection: connection))
            }
        }
        if Task.isCancelled { throw UploadFailure.stopped }
        return try result.get()
    }

    // MARK: Failures

    private func failure(
        _ error: any Error, on connection: SFTPConnection, at path: String, needing bytes: UInt64,
        step: UploadStep = .send
    ) async -> UploadFailure {
        if let failure = error as? UploadFailure { return failure }
        if let refused = error as? SFTPStepError {
            return await failure(
                refused.error, on: connection, at: refused.path, needing: bytes, step: refused.step)
        }
        if error is CancellationError || Task.isCancelled {
            return .stopped
        }
        guard let error = error as? SFTPError, case .status(let status, let text) = error else {
            if let error = error as? SFTPError, error == .cancelled {
                return .stopped
            }
            return await connection.explain(error)
        }
        // The status 'failure' can have any cause. The free disk space may explain the failure.
        if status == .failure {
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            let place = path.hasPrefix("/") ? "/" + folder : folder
            if let space = await connection.fileSystem(of: place.isEmpty ? "." : place) {
                if let failure = SFTPFailureMapping.failure(space: space, needing: bytes) {
                    // Deletes only this upload's copy. In other steps, the path may belong to another
                    // installation.
                    if failure.kind == .permanent(.full), step == .send || step == .sync {
                        try? await connection.session.send(.remove(path: path)).ok()
                    }
                    return failure
                }
            }
        }
        return SFTPFailureMapping.failure(status: status, text: text, path: path, at: step)
    }
}
