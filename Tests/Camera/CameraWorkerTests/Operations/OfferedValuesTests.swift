import FrameFastModel
import Makers
import Testing

@testable import CameraWorker

/// Tests that the worker chooses the first method of the profile with values that the driver offers.
@Suite struct OfferedValuesTests {
    private let rows: [MakerProfile]
    init() throws { rows = try KnowledgeBase.bundled().profiles }

    private static let release = "eosremoterelease"

    /// The choices of `_get_Canon_EOS_RemoteRelease` in camlibs/ptp2/config.c of 2.5.30 to 2.5.33.
    private static let before34 = [
        "None", "Press Half", "Press Full", "Release Half", "Release Full", "Immediate", "Press 1", "Press 2",
        "Press 3", "Release 1", "Release 2", "Release 3",
    ]
    /// The choices of the same function in 2.5.34.
    private static let since34 = [
        "None", "Press Half AF", "Press Full AF", "Press Half MF", "Press Full MF", "Release Half",
        "Release Full", "Release",
    ]

    private static let withoutImmediate: [String] = before34.filter { $0 != "Immediate" }
    private static let withoutRelease: [String] = since34.filter { $0 != "Release" }
    private static let ofBoth: [String] = before34 + since34

    /// Each row has the choices that the driver offers, or `nil` if the worker has not read them. The row
    /// also has the values that begin and end an exposure with the first usable method.
    private static let bulbs: [([String]?, [String], [String])] = [
        (before34, ["Immediate"], ["Release Full", "Release Half"]),
        (since34, ["Press Half MF", "Press Full MF"], ["Release", "Release Half"]),
        (nil, ["Immediate"], ["Release Full", "Release Half"]),
        ([], ["Immediate"], ["Release Full", "Release Half"]),
        (withoutImmediate, ["1"], ["0"]),
        (withoutRelease, ["1"], ["0"]),
        (["None"], ["1"], ["0"]),
        (ofBoth, ["Immediate"], ["Release Full", "Release Half"]),
    ]

    private func canon() throws -> CameraProfile {
        try #require(rows.first { $0.names.contains("Canon") }).profile
    }

    private func values(_ choices: [String]?) -> OfferedValues {
        var values = OfferedValues()
        if let choices { values.record(choices, of: Self.release) }
        return values
    }

    @Test(arguments: bulbs)
    func `chooses an EOS's bulb method by the offered values`(
        choices: [String]?, begin: [String], end: [String]
    ) throws {
        let offered = values(choices)
        let toggles = try #require(canon().bulb)
        let chosen = try #require(toggles.first { offered.contains($0.settings) })
        #expect(chosen.begin.map(\.value) == begin)
        #expect(chosen.end.map(\.value) == end)
    }

    @Test func `each libgphoto2 version offers exactly one release method for an EOS`() throws {
        let toggles = try #require(canon().bulb).filter { $0.begin.first?.setting == Self.release }
        let releases = try #require(canon().focus?.releases)
        for choices in [Self.before34, Self.since34] {
            let offered = values(choices)
            let bulb = toggles.filter { offered.contains($0.settings) }
            // A focus stack presses and releases the button like a bulb exposure.
            let release = releases.filter { offered.contains($0.settings) }
            #expect(bulb.count == 1)
            #expect(release == bulb)
        }
    }

    @Test func `every libgphoto2 version offers the value that undoes a refused EOS release`() throws {
        let undo = try #require(canon().afterRefusedRelease)
        for choices in [Self.before34, Self.since34] { #expect(values(choices).contains([undo])) }
    }

    @Test func `reads a setting once, and only if several methods write it`() throws {
        let profile = try canon()
        let bulbs = try #require(profile.bulb).map(\.settings)
        #expect(values(nil).unread(among: bulbs) == [Self.release])
        let releases = (profile.focus?.releases ?? []).map(\.settings)
        #expect(values(nil).unread(among: releases) == [Self.release])
        #expect(values(Self.since34).unread(among: bulbs) == [])
        #expect(values([]).unread(among: bulbs) == [])
        for row in rows where !row.names.contains("Canon") {
            for toggles in [row.profile.bulb, row.profile.movie] {
                let methods = (toggles ?? []).map(\.settings)
                #expect(values(nil).unread(among: methods) == [], "\(row.names)")
            }
        }
    }
}
