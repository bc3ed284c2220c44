import Foundation
import Repository
import TestRig
import Testing

/// A regression test that parses the whole corpus of `scripts/fuzz`, and random mutations of its inputs.
@Suite struct CorpusTests {
    /// The number of mutated inputs for each target. `scripts/fuzz` tries more.
    private static let changesMax = Tier.isNight ? 500 : 150
    /// The longest changed input, in bytes.
    private static let bytesMax = 4_096

    @Test(arguments: FuzzTarget.allCases)
    func `parses every corpus input and its mutations without a crash`(target: FuzzTarget) throws {
        let inputs = try Corpus.inputs(of: target)
        try #require(!inputs.isEmpty, "Tests/FuzzTests/Corpus/\(target.rawValue) is empty")
        // If a trap ends the run, this file contains the last input. Other runs on this computer have other
        // files.
        let last = FileManager.default.temporaryDirectory.appending(
            path: "framefast-fuzz-\(target.rawValue)-\(ProcessInfo.processInfo.processIdentifier)")
        for input in inputs {
            try Data(input).write(to: last)
            target.feed(input)
        }
        var random = SeededRandom(otherwise: 1)
        for _ in 0..<Self.changesMax {
            let changed = Mutation.random(of: inputs, bytesMax: Self.bytesMax, with: &random)
            try Data(changed).write(to: last)
            target.feed(changed)
        }
        try FileManager.default.removeItem(at: last)
    }
}

/// The fuzzing inputs in the repository.
enum Corpus {
    private static let folder = Repository.file("Tests/FuzzTests/Corpus")

    static func inputs(of target: FuzzTarget) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: target.rawValue), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
    }
}

/// Random changes of inputs, like those of libFuzzer.
enum Mutation {
    /// Boundary values of integers.
    private static let edges: [[UInt8]] = [
        [0], [1], [0x7F], [0x80], [0xFF], [0xFF, 0xFF], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF],
        [0xFF, 0xFF, 0xFF, 0x7F], [0x80, 0, 0, 0], [UInt8](repeating: 0xFF, count: 8),
    ]

    /// Returns one of the inputs, changed in one to four places.
    static func random(
        of inputs: [[UInt8]], bytesMax: Int, with random: inout SeededRandom
    ) -> [UInt8] {
        var bytes = inputs.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4:
                let edge = edges.randomElement(using: &random) ?? []
                bytes.replaceSubrange(place..<min(bytes.count, place + edge.count), with: edge)
            default:
                let other = inputs.randomElement(using: &random) ?? []
                let start = Int.random(in: 0...other.count, using: &random)
                bytes.replaceSubrange(place..<bytes.count, with: other[start...])
            }
        }
        return Array(bytes.prefix(bytesMax))
    }
}
