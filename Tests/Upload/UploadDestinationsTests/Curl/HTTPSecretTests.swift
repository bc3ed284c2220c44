import Foundation
import FrameFastModel
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    /// Tests of secrets in a custom header or in a form field.
    @Suite(
        .programs(2), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(10)))
    struct HTTPSecretTests {
        /// The location of the secret in a request. Each location has its own path on the server.
        enum SecretLocation: String, CaseIterable {
            case header, field, presigned

            var path: String {
                switch self {
                case .header: "key/{name}"
                case .field: "keyform"
                case .presigned: "keypresign"
                }
            }
        }

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        /// - Parameter secret: The secret, or `nil` to send none.
        private func destination(_ location: SecretLocation, _ port: Int, _ secret: String?)
            -> HTTPDestination
        {
            var settings = HTTPSettings(
                url: "http://127.0.0.1:\(port)/\(location.path)",
                connection: ConnectionSettings(
                    connectSeconds: TestLimits.connectSeconds, stallSeconds: TestLimits.stallSeconds))
            switch location {
            case .header: break
            case .field:
                settings.method = .form(file: "photo", fields: [HTTPHeader("camera", "c")])
                settings.secretField = secret.map { SecretField(name: "key", secret: Secret($0)) }
                return HTTPDestination(settings)
            case .presigned:
                settings.method = .presigned(
                    PresignSettings(
                        urlField: "upload.url", headersField: "upload.headers", idField: "upload.id",
                        statusURL: "http://127.0.0.1:\(port)/state/{id}", stateField: "upload.state",
                        pollSeconds: 0.05))
            }
            if let secret { settings.credentials = .header(name: "x-api-key", Secret(secret)) }
            return HTTPDestination(settings)
        }

        /// The server refuses a request without the secret. It also refuses a presigned PUT that contains the
        /// secret.
        @Test(arguments: SecretLocation.allCases)
        func `sends the secret in a header or form field`(location: SecretLocation) async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let photo = try TestPhotos.one(bytes: 50_000, name: "a.JPG", in: scratch)
            let receipt = try await destination(location, server.port, "ff").upload(photo)
            #expect(receipt.proof == (location == .header ? .checksum : .word))
            let file = server.folder.appending(path: location == .field ? "c-a.JPG" : "a.JPG")
            #expect(file.sha256 == photo.sha256, "[loss] wrong photo content")
        }

        @Test(
            .nightly("in the gate, FailureTableTests covers the status"), arguments: SecretLocation.allCases,
            ["wrong", nil])
        func `reports a wrong or missing secret as unauthorised`(
            location: SecretLocation, secret: String?
        ) async throws {
            let server = try await TestServer.python("http_server.py", in: scratch)
            let photo = try TestPhotos.one(bytes: 50_000, name: "a.JPG", in: scratch)
            let failure = await destination(location, server.port, secret).failure(photo)
            #expect(failure?.kind == .permanent(.unauthorised), "\(failure?.sentence ?? "none")")
            #expect(server.folder.filesBelow.isEmpty, "[loss] stored without the secret")
        }
    }
}
