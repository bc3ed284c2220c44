import ChildProcesses
import FrameFastModel
import Glibc
import SystemPackage
import UploadEngine

// The faults of each kind's settings that can be found without a connection.

extension SFTPDestination {
    nonisolated var faults: [String] {
        let ofKey = settings.identityFile.map { file in
            SSHKeyFault.all(ofFile: file).map { "\($0.sentence(file)). \($0.nextStep(file))" }
        }
        return settings.faults + (ofKey ?? [])
    }
}

extension RcloneDestination {
    nonisolated var faults: [String] { settings.faults }
}

extension CommandDestination {
    var faults: [String] { settings.faults + FactName.faults(in: settings.arguments) }
}

extension DirectoryDestination {
    /// See ``UploadDestination/faults``.
    public var faults: [String] { folder.hasPrefix("/") ? [] : ["The folder is not an absolute path."] }
}

extension FTPDestination {
    nonisolated var faults: [String] {
        settings.connection.faults + sentence { () throws(UploadFailure) in try check() }
    }
}

extension S3Destination {
    nonisolated var faults: [String] {
        settings.connection.faults
            + sentence { () throws(UploadFailure) in try S3Address.check(settings) }
    }
}

extension WebDAVDestination {
    nonisolated var faults: [String] {
        settings.connection.faults
            + sentence { () throws(UploadFailure) in try HTTPClient.check(settings.url) }
    }
}

extension HTTPDestination {
    var faults: [String] {
        var templates = settings.headers.map { ($0.value, [String: String]()) }
        switch settings.method {
        case .put: break
        case .form(_, let fields): templates += fields.map { ($0.value, [:]) }
        case .presigned(let presign): templates += presign.statusURL.map { [($0, ["id": "1"])] } ?? []
        }
        let filled = templates.flatMap { template, more in
            sentence { () throws(UploadFailure) in
                _ = try URLTemplate.fill(template, name: "a/b.jpg", facts: [:], more: more, encodes: true)
            }
        }
        return settings.connection.faults
            + sentence { () throws(UploadFailure) in
                try HTTPClient.check(settings.url)
                _ = try URLTemplate.fill(settings.url, name: "a/b.jpg", facts: [:], encodes: true)
            } + filled
    }
}

extension ConnectionSettings {
    var faults: [String] {
        guard let caFile else { return [] }
        let reason = access(caFile, R_OK) == 0 ? nil : "\(Errno(rawValue: errno))"
        return reason.map { ["The ca_file \(caFile) cannot be read: \($0)."] } ?? []
    }
}

/// Returns an array with the sentence of the failure that a check throws. The array is empty if the check
/// succeeds.
private func sentence(_ check: () throws(UploadFailure) -> Void) -> [String] {
    do {
        try check()
        return []
    } catch { return [error.sentence] }
}
