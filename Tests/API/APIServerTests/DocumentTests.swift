import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Testing

@testable import APIServer

/// Route table, wire types and document say the same.
@Suite struct DocumentTests {
    private let lines = OpenAPIDocument.text.split(separator: "\n", omittingEmptySubsequences: false)

    @Test func `the file is what is served`() throws {
        let file = try DocumentFile("docs/openapi.yaml").text(writing: OpenAPIDocument.text)
        #expect(
            file == OpenAPIDocument.text, "write it with FRAMEFAST_WRITE_DOCS=1 swift test --filter Document")
    }

    @Test func `the document has every route, and everything that it refers to`() {
        var (section, defined, operations): (String, Set<String>, [String]) = ("", [], [])
        for line in lines {
            let text = line.drop { $0 == " " }
            let key = text.prefix { $0 != ":" }
            switch line.count - text.count {
            case 2: section = String(key)
            case 4: defined.insert("\(section)/\(key)")
            case 6 where text.hasPrefix("operationId: "): operations.append(String(text.dropFirst(13)))
            default: break
            }
        }
        #expect(operations.sorted() == Route.allCases.map(\.rawValue).sorted())
        let references = OpenAPIDocument.text.matches(of: #/"#\/components\/([^"]+)"/#).map { String($0.1) }
        #expect(references.count > Route.allCases.count)
        #expect(Set(references).subtracting(defined).isEmpty)
    }

    @Test func `the document knows every error code and every kind of event`() {
        for (code, _) in ErrorReply.Code.statuses {
            #expect(OpenAPIDocument.text.contains(code.rawValue))
        }
        #expect(
            OpenAPIDocument.text.contains(
                "[" + EventReply.Body.kinds.joined(separator: ", ") + "]"))
    }

    @Test func `bodies have exactly the keys of the document`() throws {
        let values: [(String, any Encodable)] = [
            ("StatusReply", Samples.status), ("CameraReply", Samples.camera),
            ("SessionReply", Samples.session),
            ("ConditionReply", Samples.condition), ("CaptureReply", Samples.capture(1)),
            ("CaptureFiguresReply", Samples.status.captures), ("DiskReply", Samples.status.disk),
            ("UploadFiguresReply", Samples.status.uploads),
            ("StorageReply", StorageReply(label: "")), ("CapturesReply", CapturesReply(captures: [])),
            ("LastCaptureReply", LastCaptureReply(id: 1, path: "", savedAt: Samples.time)),
            ("ProgressReply", ProgressReply(originalName: "", bytes: 0, totalBytes: 0)),
            ("VersionReply", VersionReply(version: "")), ("TriggerReply", TriggerReply(triggered: [])),
            ("TemplateTestReply", TemplateTestReply(template: "", names: [])),
            ("SessionsReply", SessionsReply(sessions: [])), ("CamerasReply", CamerasReply(cameras: [])),
            ("ConditionsReply", ConditionsReply(conditions: [])),
            ("SessionStartRequest", SessionStartRequest(name: "")),
            ("MakersReply", MakersReply(makers: [])), ("MakerReply", Samples.makers[0]),
            ("GuidanceReply", Samples.makers[0].usb), ("CameraAddRequest", CameraAddRequest(address: "")),
            ("CameraRenameRequest", CameraRenameRequest(name: "")),
            ("CameraIgnoreRequest", CameraIgnoreRequest(ignored: true)),
            ("DiscoveryReply", Samples.discovery), ("FoundReply", Samples.discovery.found[0]),
            ("FailureReply", Samples.discovery.failures[0]), ("DiagnosisReply", Samples.diagnosis),
            ("CheckReply", Samples.diagnosis.checks[0]),
            ("DestinationsReply", DestinationsReply(destinations: [])),
            ("DestinationReply", Samples.destinations[1]),
            ("UploadErrorReply", UploadErrorReply(at: Samples.time, sentence: "")),
            ("DestinationTestReply", Samples.destinationTest), ("UploadsReply", UploadsReply(jobs: [])),
            ("UploadJobReply", Samples.job(1, .queued)), ("UploadAddRequest", UploadAddRequest(to: "")),
            ("UploadChangeReply", UploadChangeReply(changed: 0)), ("ModeReply", Samples.mode),
            ("ModeRequest", ModeRequest(mode: .rated)), ("StorageSummaryReply", Samples.storage),
            ("SessionStorageReply", Samples.storage.sessions[1]),
            ("StorageAmountReply", StorageAmountReply()),
            ("StorageClearRequest", StorageClearRequest()), ("StorageClearReply", StorageClearReply()),
            ("SessionKeepRequest", SessionKeepRequest()),
            ("ErrorReply", ErrorReply(error: .init(code: .internal, message: ""))),
        ]
        for (name, value) in values {
            let object = try JSONSerialization.jsonObject(with: WireCoder.encode(value))
            let keys = Set(try #require(object as? [String: Any]).keys)
            #expect(keys == requiredKeys(of: name), "\(name)")
        }
    }

    /// The `required` list of a schema, which may span lines.
    private func requiredKeys(of schema: String) -> Set<String> {
        guard let start = lines.firstIndex(of: "    \(schema):") else { return [] }
        let text = lines[start...].joined(separator: " ")
        guard let required = text.range(of: "required:") else { return [] }
        let rest = text[required.upperBound...]
        guard let open = rest.firstIndex(of: "["), let close = rest.firstIndex(of: "]") else { return [] }
        let list = rest[rest.index(after: open)..<close]
        return Set(list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }
}
