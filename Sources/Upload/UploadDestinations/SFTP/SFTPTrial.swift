import UploadEngine

/// An adapter that runs feature trials on an SFTP server.
struct SFTPTrial: TrialServer {
    let settings: SFTPSettings
    /// Returns an open connection. Opens a new connection if necessary, because some servers close the
    /// connection instead of refusing a request.
    let connect: @Sendable () async throws(UploadFailure) -> SFTPConnection

    func store(_ name: String) async throws(UploadFailure) {
        try await perform(.send, name) { connection throws(SFTPError) in
            let session = connection.session
            let path = settings.path(of: name)
            let open = SFTPRequest.open(path: path, mode: [.write, .create, .truncate])
            let handle: [UInt8]
            do throws(SFTPError) { handle = try await session.send(open).handle() } catch {
                guard case .status = error else { throw error }
                if try await session.isFolderMissing(of: path, after: error) {
                    try await makeFolders(of: path, session)
                } else {
                    // Deletes the file first, because some servers do not let clients write to an existing
                    // file.
                    do throws(SFTPError) { try await session.send(.remove(path: path)).ok() } catch _ {
                        throw error
                    }
                }
                handle = try await session.send(open).handle()
            }
            let replies = session.send([
                .write(handle: handle, offset: 0, bytes: Array(TrialFile.text.utf8)[...]),
                .close(handle: handle),
            ])
            try await replies[0].ok()
            try await replies[1].ok()
        }
    }

    func size(_ name: String) async throws(UploadFailure) -> UInt64? {
        try await perform(.look, name) { connection throws(SFTPError) in
            let session = connection.session
            return try await session.send(.linkFacts(path: settings.path(of: name))).facts()?.bytes
        }
    }

    func readsBack(_ name: String) async throws(UploadFailure) -> Bool {
        try await perform(.readBack, name) { connection throws(SFTPError) in
            let session = connection.session
            let path = settings.path(of: name)
            let handle = try await session.send(.open(path: path, mode: .read)).handle()
            let count = UInt32(TrialFile.bytes)
            let read = session.send([
                .read(handle: handle, offset: 0, count: count), .close(handle: handle),
            ])[0]
            guard case .data(let bytes)? = try await read.reply(orNilAt: .endOfFile) else { return false }
            return bytes.elementsEqual(TrialFile.text.utf8)
        }
    }

    func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool {
        try await perform(.rename, first) { connection throws(SFTPError) in
            let session = connection.session
            let request = SFTPRequest.rename(
                from: settings.path(of: first), to: settings.path(of: second))
            do throws(SFTPError) { try await session.send(request).ok() } catch {
                guard case .status = error else { throw error }
                // OpenSSH has no status for a name that is already in use. It replies "failure".
                let isTaken =
                    try? await session.send(.linkFacts(path: settings.path(of: second))).facts() != nil
                guard isTaken == true else { throw error }
                return false
            }
            return true
        }
    }

    func remove(_ name: String) async throws(UploadFailure) {
        try await perform(.remove, name) { connection throws(SFTPError) in
            let session = connection.session
            try await session.send(.remove(path: settings.path(of: name))).ok()
        }
    }

    func sync(_ name: String) async throws(UploadFailure) -> Bool? {
        try await perform(.sync, name) { connection throws(SFTPError) in
            guard connection.canSync else { return nil }
            return try await change(name, connection.session) { .sync(handle: $0) }
        }
    }

    func setTime(_ name: String) async throws(UploadFailure) -> Bool? {
        try await perform(.setTime, name) { connection throws(SFTPError) in
            let seconds = UInt32(TrialFile.time)
            return try await change(name, connection.session) { .setTime(handle: $0, seconds: seconds) }
        }
    }

    /// Writes the second half of the file again, like an upload that resumes.
    func resumes(_ name: String) async throws(UploadFailure) -> Bool? {
        try await perform(.resume, name) { connection throws(SFTPError) in
            let session = connection.session
            let open = SFTPRequest.open(path: settings.path(of: name), mode: [.write, .create])
            let handle = try await session.send(open).handle()
            let half = Array(TrialFile.text.utf8).dropFirst(Int(TrialFile.bytes) / 2)
            let replies = session.send([
                .write(handle: handle, offset: UInt64(half.startIndex), bytes: half), .close(handle: handle),
            ])
            try await replies[0].ok()
            try await replies[1].ok()
            return true
        }
    }

    /// Opens a file, sends a request for the file and closes the file.
    ///
    /// - Returns: `true`, or `nil` if the server does not let clients write to an existing file. Uploads do
    ///   not need this permission, because they create new files.
    private func change(
        _ name: String, _ session: SFTPSession, _ request: ([UInt8]) -> SFTPRequest
    ) async throws(SFTPError) -> Bool? {
        let open = SFTPRequest.open(path: settings.path(of: name), mode: .write)
        let handle: [UInt8]
        do throws(SFTPError) { handle = try await session.send(open).handle() } catch {
            guard case .status = error else { throw error }
            return nil
        }
        let replies = session.send([request(handle), .close(handle: handle)])
        await replies[1].waitUntilSettled()
        try await replies[0].ok()
        return true
    }

    /// Returns whether the server syncs a small file to its disk.
    ///
    /// - Parameters:
    ///   - path: The path of a file in the folder of the test.
    ///   - name: The name of the small file. The server accepts this kind of name.
    /// - Returns: Whether the fsync succeeded. `false` if the server refuses to store the file.
    func canSync(inFolderOf path: String, named name: String) async throws -> Bool {
        let session = try await connect().session
        let file = RemoteName.sibling(path, name)
        let handle: [UInt8]
        do throws(SFTPError) {
            handle = try await session.send(.open(path: file, mode: [.write, .create])).handle()
        } catch {
            guard case .status = error else { throw error }
            return false
        }
        let replies = session.send([
            .write(handle: handle, offset: 0, bytes: Array(TrialFile.text.utf8)[...]),
            .sync(handle: handle), .close(handle: handle), .remove(path: file),
        ])
        await replies[3].waitUntilSettled()
        do throws(SFTPError) { try await replies[1].ok() } catch {
            guard case .status = error else { throw error }
            return false
        }
        return true
    }

    private func makeFolders(of path: String, _ session: SFTPSession) async throws(SFTPError) {
        var folder = path.hasPrefix("/") ? "/" : ""
        var requests: [SFTPPending] = []
        for part in path.split(separator: "/").dropLast() {
            folder += part
            requests.append(session.send(.makeFolder(path: folder)))
            folder += "/"
        }
        for pending in requests {
            // Ignores refusals, because the folder may exist.
            do throws(SFTPError) { try await pending.ok() } catch {
                guard case .status = error else { throw error }
            }
        }
    }

    private func perform<Value>(
        _ step: UploadStep, _ name: String,
        _ question: (SFTPConnection) async throws(SFTPError) -> Value
    ) async throws(UploadFailure) -> Value {
        let connection = try await connect()
        do throws(SFTPError) { return try await question(connection) } catch {
            switch error {
            case .status(let status, let text):
                throw SFTPFailureMapping.failure(
                    status: status, text: text, path: settings.path(of: name), at: step)
            case .cancelled: throw .stopped
            default: throw await connection.explain(error)
            }
        }
    }
}
