import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Testing

@testable import APIServer

/// Tests that endpoints, wire types and the OpenAPI document agree.
@Suite struct DocumentTests {
    private let text: String
    private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    init() throws { text = try OpenAPIDocument.text() }

    @Test func `openapi.yaml equals the document from the types`() throws {
        let file = try DocumentFile("docs/openapi.yaml").text(writing: text)
        #expect(file == text, "write it with scripts/docs")
    }

    @Test func `OpenAPI document defines every endpoint and every reference`() {
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
        #expect(operations.sorted() == Endpoints.rows.map(\.name).sorted())
        let references = text.matches(of: #/"#\/components\/([^"]+)"/#).map { String($0.1) }
        #expect(references.count > Endpoints.rows.count)
        #expect(Set(references).subtracting(defined).isEmpty)
    }

    @Test func `endpoint table reports endpoints without a handler`() {
        let missing = Set(Endpoints.rows.map(\.name)).subtracting([
            "serviceVersion", "serviceStatus", "serviceSummary", "serviceMetrics", "serviceEvents",
            "serviceOpenapi",
        ])
        let table = APIResponder.table(of: OneHandlerSurface(), hub: EventHub())
        #expect(Set(table.missing) == missing && !missing.isEmpty)
    }

    /// A surface that handles only the version endpoint.
    private struct OneHandlerSurface: ControlSurface {
        func attachHandlers(to table: inout EndpointTable) {
            table.handle(\.service.version) { () throws(ControlError) in VersionReply(version: "1") }
        }
        func status() async throws(ControlError) -> StatusReply { Samples.status }
        func metrics() async throws(ControlError) -> MetricsText { Samples.metrics }
    }

    @Test func `derives a schema from the fields of a type`() throws {
        let schema = try SchemaReader().read(Example.self)
        let fields = schema.fields.map { field in
            "\(field.key) \(field.kind) \(field.isRequired ? "always" : "sometimes")"
                + (field.isNullable ? " null" : "")
        }
        #expect(
            fields == [
                "name text always", "taken_at time always null",
                "sizes list(APIServer.WireSchema.Kind.integer) always",
                "state word(\(DaemonState.allCases.map(\.rawValue))) always",
                "part object(\"GuidanceReply\") sometimes null", "ratio number always", "is_new flag always",
                "widths list(APIServer.WireSchema.Kind.optional(APIServer.WireSchema.Kind.integer)) always",
            ])
        #expect(schema.fields[0].declaration?.length == 1...9)
    }

    @Test func `event fields that belong to one kind are optional and not nullable`() throws {
        let schema = try SchemaReader().read(EventReply.self)
        #expect(schema.fields.filter(\.isRequired).map(\.key) == ["seq", "at", "kind"])
        #expect(schema.fields.allSatisfy { !$0.isNullable })
        guard case .word(let kinds)? = schema.fields.first(where: { $0.key == "kind" })?.kind else {
            Issue.record("the kind is not a word")
            return
        }
        #expect(kinds == EventReply.Body.kinds)
    }

    @Test func `encodes and decodes every kind of event`() throws {
        for kind in EventReply.Body.kinds {
            let sample = SchemaDecoder(
                reader: SchemaReader(), isFull: true, variant: (EventReply.variantKey, kind))
            let event = try EventReply(from: sample)
            #expect(event.body != .unknown(kind: kind))
            #expect(event.body.kind == kind)
            #expect(try WireCoder.decode(EventReply.self, from: WireCoder.encode(event)) == event)
        }
    }

    @Test func `throws for the description of a field that does not exist`() {
        #expect(throws: SchemaReader.Unreadable.self) { try SchemaReader().read(ForeignKeyReply.self) }
    }

    private static let yaml: [(String, DocumentNode)] = [
        ("a-word", .text("a-word")), ("text: \"true\"", .map([("text", .text("true"))])),
        ("text: \"a: b\"", .map([("text", .text("a: b"))])), ("- \"\\\"\"", .list([.text("\"")])),
        ("empty: []", .map([("empty", .list([]))])),
        ("more: |\n  one\n  two", .map([("more", .text("one\ntwo"))])),
    ]

    @Test(arguments: yaml)
    func `quotes texts that YAML would not parse as strings`(yaml: String, node: DocumentNode) {
        #expect(node.lines().joined(separator: "\n") == yaml)
    }

    private struct Example: WireValue {
        var name: String
        @OrNull var takenAt: Date?
        var sizes: [Int]
        @Word var state: DaemonState?
        var part: GuidanceReply?
        var ratio: Double
        var isNew: Bool
        var widths: [Int?]

        static var fields: [WireField] { [.init(CodingKeys.name, length: 1...9)] }
    }

    private struct ForeignKeyReply: WireValue {
        var name: String
        static var fields: [WireField] { [.init(Other.size)] }
        private enum Other: String, CodingKey { case size }
    }
}
