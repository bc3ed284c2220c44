import Foundation
public import UploadEngine

/// Photos over SFTP: our own client in OpenSSH's `ssh -s HOST sftp`, so that keys, agents, certificates, jump hosts and
/// host keys are OpenSSH's. All uploads share one connection.
public actor SFTPDestination: UploadDestination {
    let settings: SFTPSettings
    private let pace: BytePace?
    private var connection: SFTPConnection?
    private var opening: Task<Result<SFTPConnection, UploadFailure>, Never>?
    private var isClosed = false

    /// Creates a destination; connects with the first photo.
    public init(_ settings: SFTPSettings) {
        self.settings = settings
        pace = settings.bytesPerSecondMax.map { BytePace(bytesPerSecond: $0) }
    }

    /// Brings one photo there; see ``UploadDestination``.
    public func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let photo = try LocalPhoto(item)
        let connection = try await connected()
        let upload = SFTPUpload(
            connection: connection, settings: settings, item: item, photo: photo, pace: pace,
            progress: progress)
        do { return try await upload.run() } catch {
            throw await failure(error, on: connection, at: upload.partPath, needing: item.bytes)
        }
    }

    /// Whether the place can be reached now.
    public func probe() async throws(UploadFailure) {
        let connection = try await connected()
        do { _ = try await connection.session.send(.absolutePath(path: ".")).answer() } catch {
            throw await failure(error, on: connection, at: settings.path(of: "."), needing: 0)
        }
    }

    /// Uploads a small probe, verifies and removes it.
    public func test() async throws(UploadFailure) {
        let probe = try LocalProbeFile()
        let receipt = try await upload(probe.item) { _ in }
        let connection = try await connected()
        let path = settings.path(of: receipt.remoteName)
        do { try await connection.session.send(.remove(path: path)).ok() } catch {
            throw await failure(error, on: connection, at: path, needing: 0)
        }
    }

    /// Gives back connections and child processes.
    public func close() async {
        isClosed = true
        if case .success(let connection)? = await opening?.value { await connection.close() }
        await connection?.close()
        connection = nil
    }

    // MARK: the connection

    private func connected() async throws(UploadFailure) -> SFTPConnection {
        if let connection, connection.session.isAlive { return connection }
        if isClosed { throw UploadFailure(.cancelled, "\(settings.name): stopped") }
        if let fault = settings.faults.first {
            throw UploadFailure(
                .hopeless(.misconfigured), "\(settings.name): \(fault)",
                nextStep: "Correct the destination's settings.")
        }
        let attempt: Task<Result<SFTPConnection, UploadFailure>, Never>
        if let opening {
            attempt = opening
        } else {
            let old = connection
            connection = nil
            attempt = Task { [settings] in
                await old?.close()
                do throws(UploadFailure) { return .success(try await SFTPConnection.open(settings)) } catch {
                    return .failure(error)
                }
            }
            opening = attempt
        }
        let result = await attempt.value
        if opening == attempt {
            opening = nil
            connection = try? result.get()
        }
        if Task.isCancelled { throw UploadFailure(.cancelled, "\(settings.name): stopped") }
        return try result.get()
    }

    // MARK: failures

    private func failure(
        _ error: any Error, on connection: SFTPConnection, at path: String, needing bytes: UInt64
    ) async -> UploadFailure {
        if let failure = error as? UploadFailure { return failure }
        if error is CancellationError || Task.isCancelled {
            return UploadFailure(.cancelled, "\(settings.name): stopped")
        }
        guard let error = error as? SFTPError, case .status(let status, let text) = error else {
            if let error = error as? SFTPError, error == .cancelled {
                return UploadFailure(.cancelled, "\(settings.name): stopped")
            }
            return await connection.explain(error)
        }
        // Of all things that “failure” can mean, the disk's troubles can be asked for.
        if status == .failure {
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            let place = path.hasPrefix("/") ? "/" + folder : folder
            if let space = await connection.fileSystem(of: place.isEmpty ? "." : place) {
                if let failure = SFTPTrouble.failure(space: space, needing: bytes, name: settings.name) {
                    if case .outage = failure.kind {
                        try? await connection.session.send(.remove(path: path)).ok()
                    }
                    return failure
                }
            }
        }
        return SFTPTrouble.failure(status: status, text: text, path: path, name: settings.name)
    }
}
