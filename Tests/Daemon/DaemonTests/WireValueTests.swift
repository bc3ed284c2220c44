import Cameras
import Foundation
import FrameFastAPI
import FrameFastModel
import Repository
import SettingKeys
import Testing
import UploadDestinations

@testable import APIServer
@testable import FrameFastDaemon
@testable import UploadEngine

/// Tests that the service sends every value in the OpenAPI document.
@Suite struct WireValueTests {
    /// The values of each wire type, and the values that the service derives from its own types.
    private static let made: [(type: String, words: [String], sent: Set<String>)] = {
        let states: [DestinationState] = [
            .ready, .paused, .metered, .away(nextTry: nil), .away(nextTry: .now), .refusing, .removed,
        ]
        let destinations = states.map(DestinationReply.states)
        let observations: [DestinationCapabilities.Observation?] = [
            nil, .init(isOffered: true, learnedAt: .now), .init(isOffered: false, learnedAt: .now),
        ]
        let features = observations.map { FeatureState(feature: .rename, observation: $0) }
        let kinds = DestinationKind.allCases.flatMap { kind in
            [[:], ["encryption": SettingValue.text("none")]].map {
                kind.descriptor.wireName($0) ?? kind.rawValue
            }
        }
        return [
            row(DestinationProtocol.self, kinds),
            row(FeatureSupport.self, features.map { DestinationFeatureReply($0).$state.text }),
            row(DestinationAvailability.self, destinations.map(\.0.rawValue)),
            row(BreakerState.self, destinations.map(\.1.rawValue)),
        ]
    }()

    /// The values of vocabularies that the service and the API share. The compiler checks these values.
    private static let shared: [[String]] = [
        words(CameraState.self).words, words(SettingWritability.self).words, words(SettingSource.self).words,
        words(SettingOutcome.self).words, words(CaptureState.self).words,
        words(CaptureVerification.self).words, words(ConditionSeverity.self).words,
        words(ConditionSubjectKind.self).words, words(UploadState.self).words, words(UploadHold.self).words,
        words(UploadProof.self).words, words(UploadMode.self).words, words(ProbeFailureKind.self).words,
        words(OperationKind.self).words, words(OperationState.self).words, words(FocusAction.self).words,
        words(FocusStepSize.self).words, words(DiskLevel.self).words, words(WebRole.self).words,
    ]

    /// The wire types whose values the service names in its sources.
    private static let named: [(type: String, words: [String])] = [
        words(CheckLevel.self), words(DaemonState.self), words(ErrorCode.self),
    ]

    @Test func `each wire type has exactly the values that are sent`() {
        for (type, words, sent) in Self.made { #expect(Set(words) == sent, "\(type)") }
    }

    @Test func `the service sends each declared wire value`() throws {
        let source = try Self.source(of: [
            "Daemon", "Upload", "API/APIServer", "API/WebServer",
            "API/FrameFastAPI/Requests/RequestRules.swift",
        ])
        for (type, words) in Self.named {
            for word in words {
                let parts = word.split(separator: "_")
                let name =
                    parts[0] + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
                let isNamed = source.contains(try Regex("\\.\(name)\\b"))
                #expect(isNamed || source.contains("\"\(word)\""), "\(type) \(word)")
            }
        }
    }

    @Test func `every camera state is used in the sources`() throws {
        let source = try Self.source(of: ["Camera", "Capture", "Daemon"])
        for state in CameraState.allCases {
            #expect(source.contains(try Regex("\\.\(state)\\b")), "\(state)")
        }
    }

    @Test func `every enumeration in the OpenAPI document is verified`() throws {
        let known = Set(
            Self.made.map(\.words) + Self.named.map(\.words) + Self.shared + [EventReply.Body.kinds])
        let reader = SchemaReader()
        for row in Endpoints.rows {
            if row.takesInput { try reader.read(row.inputType) }
            switch row.reply {
            case .json(let type), .events(let type): try reader.read(type)
            case .text, .picture: break
            }
        }
        try reader.read(ErrorReply.self)
        for (name, schema) in reader.schemas {
            for field in schema.fields {
                if case .word(let words) = field.kind {
                    #expect(known.contains(words), "\(name).\(field.key)")
                }
            }
        }
    }

    private static func row<Known: RawRepresentable<String> & CaseIterable>(
        _ type: Known.Type, _ sent: [String]
    ) -> (type: String, words: [String], sent: Set<String>) {
        (String(reflecting: type), type.allCases.map(\.rawValue), Set(sent))
    }

    private static func words<Known: RawRepresentable<String> & CaseIterable>(
        _ type: Known.Type
    ) -> (type: String, words: [String]) {
        (String(reflecting: type), type.allCases.map(\.rawValue))
    }

    /// Returns Swift sources below `Sources`, without comments and `case` patterns.
    private static func source(of places: [String]) throws -> String {
        var text = ""
        for place in places {
            let root = Repository.file("Sources/" + place)
            let below = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
            let files = (below?.compactMap { $0 as? URL } ?? []) + [root]
            for file in files where file.pathExtension == "swift" {
                text += try String(contentsOf: file, encoding: .utf8)
            }
        }
        return text.replacing(#/\/\/[^\n]*/#, with: "").replacing(#/case \.[^:=]*[:=]/#, with: "")
    }
}
