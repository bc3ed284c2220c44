import Foundation
import TestRig
import Testing

/// Tests that each fixed set of words is one enum. The API's sets of words are in the module `Vocabulary`.
@Suite(.blocking) struct VocabularyTests {
    /// Files that convert an identity to another identity with the same plain value.
    private static let identityConversions: Set<String> = [
        "Sources/API/FrameFastAPI/Requests/CameraReference.swift",
        "Sources/Daemon/FrameFastDaemon/Control/CameraLookup.swift",
        "Sources/Model/FrameFastModel/Cameras/CameraBodies.swift",
        "Sources/Model/FrameFastModel/Captures/Photo.swift",
        "Sources/Model/Identities/ShotID.swift",
    ]

    /// The raw values that two enums share, in sorted order, and the reason.
    private static let shared: [String: String] = [
        "always auto never": "the color option of a terminal and the wait for a shutter are unrelated"
    ]

    @Test func `no enum is converted to another by its raw value`() throws {
        let conversion = try LinePattern(#"rawValue: ?[^ ]*\.rawValue"#)
        var found: Set<String> = []
        for file in try SourceFile.all(under: "Sources") {
            for (number, line) in file.code(matching: conversion) {
                found.insert(file.path)
                #expect(
                    Self.identityConversions.contains(file.path),
                    "\(file.path):\(number) converts by raw value: \(line)")
            }
        }
        #expect(Self.identityConversions.subtracting(found).isEmpty, "an exception without a conversion")
    }

    @Test func `no two enums have the same raw values without a reason`() throws {
        let declaration = try LinePattern(#"\benum \w+: String\b"#)
        var enums: [String: [String]] = [:]
        for file in try SourceFile.all(under: "Sources") {
            for (number, line) in file.code(matching: declaration) where !line.contains("CodingKey") {
                let words = Self.words(in: file.lines, from: number, declaration: line)
                guard words.count > 1 else { continue }
                enums[words.sorted().joined(separator: " "), default: []].append("\(file.path):\(number)")
            }
        }
        #expect(enums.count > 50)
        let twice = enums.filter { $0.value.count > 1 }
        for (words, places) in twice.sorted(by: { $0.key < $1.key }) {
            #expect(Self.shared[words] != nil, "\(words): \(places.joined(separator: ", "))")
        }
        #expect(Set(Self.shared.keys).subtracting(twice.keys).isEmpty, "an exception without a duplicate")
    }

    /// Returns the raw values of an enum.
    ///
    /// - Parameter start: The index of the first line after the declaration.
    private static func words(in lines: [String], from start: Int, declaration: String) -> [String] {
        if declaration.hasSuffix("}"), let open = declaration.firstIndex(of: "{") {
            return words(ofCases: String(declaration[open...].dropFirst().dropLast()))
        }
        let indent = String(declaration.prefix { $0 == " " })
        return lines[start...].prefix { $0 != indent + "}" }
            .filter { $0.hasPrefix(indent + "    case ") }.flatMap(words(ofCases:))
    }

    /// Returns the raw values of the cases in a line such as `case seen, setAside = "set_aside"`.
    private static func words(ofCases line: String) -> [String] {
        line.trimmingCharacters(in: .whitespaces).dropFirst("case ".count).split(separator: ",").map { text in
            let value = text.split(separator: "=").last ?? text
            return value.trimmingCharacters(in: CharacterSet(charactersIn: " \"`"))
        }
    }
}
