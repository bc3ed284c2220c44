import Foundation
import FrameFastModel
import UploadEngine

/// Uploads in a form field.
extension HTTPDestination {
    func post(
        _ file: PhotoFile, _ item: UploadItem, _ field: String, _ fields: [HTTPHeader],
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let md5 = try await file.md5()
        let boundary = "framefast-\(UUID().uuidString)"
        var values = [(name: String, value: String)]()
        for other in fields {
            let value = try URLTemplate.fill(
                other.value, name: item.remoteName, facts: item.facts, encodes: false)
            values.append((other.name, value))
        }
        if let secret = settings.secretField { values.append((secret.name, secret.secret.text)) }
        var head = ""
        for (name, value) in values {
            head +=
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(name))\"\r\n\r\n\(value)\r\n"
        }
        let name = RemoteName.split(item.remoteName).file
        head += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(field))\"; "
        head += "filename=\"\(quoted(name))\"\r\nContent-Type: \(MediaType.of(name))\r\n\r\n"
        let tail = "\r\n--\(boundary)--\r\n"
        let body = UploadBody([
            .bytes(Array(head.utf8)), .file(file, offset: 0, count: file.bytes), .bytes(Array(tail.utf8)),
        ])
        var headers = try headers(item).filter { $0.name.lowercased() != "content-type" }
        headers.append(HTTPHeader("Content-Type", "multipart/form-data; boundary=\(boundary)"))
        let bytes = item.bytes
        let response = try await client.send(
            "POST", try url(item.remoteName, item), headers: headers, body: body,
            progress: { progress(min($0, bytes)) })
        guard response.isSuccess else { throw response.refusal(place: client.place, name: name) }
        if let sum = checksum(response, md5) {
            return UploadReceipt(remoteName: item.remoteName, proof: .checksum, evidence: sum)
        }
        return UploadReceipt(remoteName: item.remoteName, proof: .word, evidence: "status \(response.status)")
    }

    /// Returns a name with the escapes that browsers use inside the quotes (WHATWG HTML,
    /// "multipart/form-data").
    private func quoted(_ text: String) -> String {
        text.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }
}
