import Foundation
import FrameFastModel
import FrameFastSystem
import Testing

@testable import CaptureEngine
@testable import Store

/// What lies beside photos: there before them, up to date, and never over what somebody else wrote.
@Suite struct SidecarTests {
    private static let edit = "<?xml version=\"1.0\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>\n"

    @Test(
        arguments: [
            (XMPNaming.off, []), (.name, ["B 1.xmp"]),
            (.nameAndExtension, ["A.jpg.xmp", "B 1.crw.xmp", "B 1.jpg.xmp", "C.mov.xmp"]),
        ] as [(XMPNaming, [String])])
    func `each form gives the files that it says, and what is no photo gets none`(
        form: XMPNaming, sidecars: [String]
    ) async throws {
        let bed = try SidecarBed(form)
        for name in ["A.JPG", "B 1.JPG", "B 1.CRW", "C.MOV", "D.WAV"] {
            let path = bed.photo(SafeName.split(name).stem + "." + SafeName.split(name).ext.lowercased())
            let item = try await bed.killedWhileNamed(name, path)
            await bed.files.place(beside: [item.arrival.id])
        }
        #expect(try bed.names == Set(sidecars))
    }

    @Test func `a RAW has its sidecar, and what its camera and people say stands in it`() async throws {
        let bed = try SidecarBed(.name)
        let record = try await bed.publish(["B 1.CRW"])[0]
        #expect(try bed.names == ["B 1.crw", "B 1.xmp"])
        let first = try #require(bed.text("B 1.xmp"))
        #expect(first.contains("<framefast:SHA256>\(record.sha256 ?? "")</framefast:SHA256>"))
        #expect(!first.contains("xmp:Rating"))

        try await bed.rate(record, stars: 4, pick: true)
        await bed.keeper.look()
        let second = try #require(bed.text("B 1.xmp"))
        #expect(second.contains("<xmp:Rating>4</xmp:Rating>") && second.contains("<xmp:Label>Select<"))
        try await bed.rate(record, stars: nil, pick: false)
        await bed.keeper.look()
        #expect(try #require(bed.text("B 1.xmp")).contains("<xmp:Rating>-1</xmp:Rating>"))
        #expect(bed.conditions.isEmpty)
        #expect(try FolderReader.names(in: bed.parts.folder).isEmpty)
        #expect(try await bed.ledger.sidecarsDue(after: nil, limit: 10).isEmpty)
    }

    @Test func `an edited sidecar stays as it is, is named once, and is written anew when it is removed`()
        async throws
    {
        let bed = try SidecarBed(.nameAndExtension)
        let records = try await bed.publish(["B.CRW", "C.CRW"])
        let keeper = bed.keeper
        try bed.write(Self.edit, "B.crw.xmp")
        for record in records { try await bed.rate(record, stars: 3) }
        await keeper.look()
        await keeper.look()
        #expect(bed.text("B.crw.xmp") == Self.edit)
        #expect(bed.text("C.crw.xmp")?.contains("<xmp:Rating>3<") == true)
        #expect(bed.conditions.map(\.kind) == [.sidecarEdited])
        #expect(bed.conditions.first?.sentence.hasPrefix("B.crw.xmp was written by another program") == true)
        // Another service of the same ledger leaves it alone as well.
        await bed.keeper.look()
        #expect(bed.text("B.crw.xmp") == Self.edit)

        try DurableFile.remove(bed.photo("B.crw.xmp"))
        await keeper.look()
        #expect(bed.text("B.crw.xmp")?.contains("<xmp:Rating>3<") == true && bed.conditions.isEmpty)
    }

    @Test func `a name that was there is left to its owner, and the photo is saved all the same`()
        async throws
    {
        let bed = try SidecarBed(.name)
        try DurableFile.createFolder(bed.settings.directory)
        try bed.write(Self.edit, "B.xmp")
        let record = try await bed.publish(["B.CRW"])[0]
        #expect(record.path == bed.photo("B.crw") && bed.text("B.xmp") == Self.edit)
        await bed.keeper.look()
        #expect(bed.conditions.map(\.kind) == [.sidecarEdited])
        try await bed.rate(record, stars: 5)
        await bed.keeper.look()
        #expect(bed.text("B.xmp") == Self.edit)
    }

    @Test func `a photo that takes a suffix has its sidecar under that name, and none under the first`()
        async throws
    {
        let bed = try SidecarBed(.nameAndExtension)
        try DurableFile.createFolder(bed.settings.directory)
        try bed.write("somebody's", "B.crw")
        #expect(try await bed.publish(["B.CRW"])[0].path == bed.photo("B-2.crw"))
        #expect(try bed.names == ["B.crw", "B-2.crw", "B-2.crw.xmp"])
    }

    @Test func `a JSON record lies beside each file, too, when it is asked for`() async throws {
        let bed = try SidecarBed(.off, json: true)
        let record = try await bed.publish(["B.CRW"])[0]
        #expect(try bed.names == ["B.crw", "B.crw.json"])
        let json = try #require(bed.text("B.crw.json"))
        #expect(
            json.contains("\"sha256\" : \"\(record.sha256 ?? "")\"") && json.contains("\"host\" : \"rig\""))
        try await bed.rate(record, stars: 5)
        await bed.keeper.look()
        #expect(bed.text("B.crw.json") == json)
    }

    @Test func `a sidecar that cannot be written holds no photo up, and is written later`() async throws {
        let bed = try SidecarBed(.name)
        let item = try await bed.arrive("B.CRW")
        // Its part file cannot be made: a folder has that name.
        let part = bed.parts.sidecarPath(item.arrival.id, .xmp)
        try DurableFile.createFolder(part)
        #expect(await bed.publish([item]).map(\.state) == [.saved] && bed.text("B.xmp") == nil)
        try FileManager.default.removeItem(atPath: part)
        await bed.keeper.look()
        #expect(bed.text("B.xmp") != nil)
    }

    // MARK: crashes

    @Test func `killed between sidecar and photo, the next start has both`() async throws {
        let bed = try SidecarBed(.name)
        let item = try await bed.killedWhileNamed("B.crw")
        await bed.files.place(beside: [item.arrival.id])
        let written = bed.text("B.xmp")
        #expect(written != nil && bed.text("B.crw") == nil)
        #expect(try await bed.repair() == .init())
        #expect(try await bed.ledger.capture(id: item.arrival.id)?.state == .saved)
        #expect(try bed.names == ["B.crw", "B.xmp"] && bed.text("B.xmp") == written)
    }

    @Test func `killed before the sidecar, the next start writes it before the photo`() async throws {
        let bed = try SidecarBed(.name)
        let item = try await bed.killedWhileNamed("B.crw")
        try Data("half".utf8).write(to: URL(filePath: bed.parts.sidecarPath(item.arrival.id, .xmp)))
        #expect(try await bed.repair() == .init())
        #expect(try bed.names == ["B.crw", "B.xmp"])
        #expect(try FolderReader.names(in: bed.parts.folder).isEmpty)
    }

    @Test(arguments: [false, true])
    func `when the photo is fetched again its sidecar goes, unless somebody edited it`(isEdited: Bool)
        async throws
    {
        let bed = try SidecarBed(.name)
        let item = try await bed.killedWhileNamed("B.crw")
        await bed.files.place(beside: [item.arrival.id])
        if isEdited { try bed.write(Self.edit, "B.xmp") }
        try DurableFile.remove(item.partPath)
        #expect(try await bed.repair() == .init())
        #expect(try await bed.ledger.capture(id: item.arrival.id)?.state == .seen)
        #expect(try bed.names == (isEdited ? ["B.xmp"] : []))
        #expect(try await bed.ledger.sidecars(of: [item.arrival.id]).isEmpty)
        // It comes again.
        try Data("a photo B.crw".utf8).write(to: URL(filePath: item.partPath))
        await bed.publish([item])
        #expect(try bed.names == ["B.crw", "B.xmp"])
        #expect((bed.text("B.xmp") == Self.edit) == isEdited)
    }

    @Test func `killed while stars are written, before and after the file changed`() async throws {
        let bed = try SidecarBed(.name)
        let record = try await bed.publish(["B.CRW"])[0]
        for stars in [2, 5] {
            try await bed.rate(record, stars: stars)
            let sidecar = try #require(try await bed.ledger.sidecars(of: [record.id]).first)
            let begun = try await bed.ledger.beginSidecar(sidecar) { known, photo, words in
                let bytes = XMPSidecar(photo, words, madeAt: Date()).bytes
                var next = known
                next.next = PhotoHash.sha256(of: bytes)
                return (next, bytes)
            }
            if stars == 5 { try Data(try #require(begun).bytes).write(to: URL(filePath: bed.photo("B.xmp"))) }
            await bed.keeper.look()
            #expect(bed.text("B.xmp")?.contains("<xmp:Rating>\(stars)<") == true && bed.conditions.isEmpty)
        }
    }
}
