import Foundation
import FrameFastModel
import Testing

@testable import Makers

/// Tests that the data files are complete and that their texts fit on a screen.
@Suite struct KnowledgeTests {
    /// The maximum length of a sentence or a step: two lines of a narrow terminal.
    static let textMax = 160
    /// The maximum length of a maker's description, next to its name on 80 columns.
    static let lineMax = 56
    static let stepsMax = 6

    let knowledge: KnowledgeBase
    init() throws { knowledge = try KnowledgeBase.bundled() }

    @Test func `every maker has one entry with all picker data`() {
        #expect(Set(knowledge.makers.map(\.maker)) == Set(Maker.allCases))
        #expect(knowledge.makers.count == Maker.allCases.count)
        for entry in knowledge.makers {
            #expect(!entry.line.isEmpty && entry.line.count <= Self.lineMax)
            #expect(!entry.vendors.isEmpty && !entry.names.isEmpty)
            #expect(!entry.usb.isEmpty && entry.usb.allSatisfy { !$0.steps.isEmpty })
            #expect(!entry.network.steps.isEmpty)
            #expect(!entry.network.isPossible || !entry.network.hosts.isEmpty && entry.network.port != nil)
            #expect(Set(entry.modes.map(\.mode)).count == entry.modes.count)
        }
    }

    @Test(
        arguments: [
            ("054c", 0x054C), ("054C", 0x054C), ("+05c", nil), ("-000", nil), ("54c", nil), ("054g", nil),
        ] as [(String, UInt16?)])
    func `parses a USB number of four hexadecimal digits`(text: String, value: UInt16?) {
        #expect(USBNumber(hex: text)?.value == value)
    }

    @Test func `texts fit their limits and say usually if their confidence is usual`() throws {
        let texts = try Self.texts(knowledge)
        #expect(texts.count > 200)
        for text in texts {
            #expect(!text.text.isEmpty && text.text.count <= Self.textMax, "\(text.text)")
            #expect((text.confidence == .usual) == text.text.contains("usually"), "\(text.text)")
            #expect(
                text.text.hasSuffix(".") || text.text.contains(": gio ")
                    || text.text.contains(": systemctl "), "\(text.text)")
            // A sentence may start with a name in lowercase or with a digit: libgphoto2, 5D Mark IV.
            let first = text.text.first
            let begins =
                first?.isUppercase == true || first?.isNumber == true || text.text.hasPrefix("libgphoto2")
            #expect(begins, "\(text.text)")
        }
    }

    @Test func `no USB, mode or condition guidance has more than six steps`() {
        for entry in knowledge.makers {
            for steps in entry.usb.map(\.steps) + entry.modes.map(\.steps) + entry.conditions.map(\.steps) {
                #expect(steps.count <= Self.stepsMax)
            }
        }
    }

    @Test func `every explained condition and every mode except PTP and tethering has a general text`() {
        #expect(Set(knowledge.content.conditions.map(\.condition)) == Set(ConditionKind.explained))
        let described = Set(knowledge.content.modes.map(\.mode))
        #expect(Set(CameraMode.allCases).subtracting(described) == [.ptp, .tether])
    }

    @Test func `no product number is listed twice`() {
        var seen: Set<String> = []
        for entry in knowledge.makers {
            for row in entry.products {
                for vendor in row.vendor.map({ [$0] }) ?? entry.vendors {
                    #expect(seen.insert("\(vendor):\(row.product)").inserted, "\(vendor):\(row.product)")
                }
            }
        }
    }

    @Test func `no model is in two generations of one maker`() {
        for entry in knowledge.makers {
            let names = entry.usb.flatMap { Set($0.models.map(ModelName.plain)) }
            #expect(Set(names).count == names.count, "\(entry.maker)")
        }
    }

    @Test func `rejects another schema version and invalid JSON`() {
        #expect(throws: KnowledgeBase.LoadError.schema(2)) {
            try KnowledgeBase(json: Data(#"{"schema": 2}"#.utf8), cameras: .bundled)
        }
        #expect(throws: KnowledgeBase.LoadError.self) {
            try KnowledgeBase(json: Data("{".utf8), cameras: .bundled)
        }
    }

    @Test func `reads every line of the camera table`() {
        let table = CameraTable.bundled
        #expect(table.unread.isEmpty)
        #expect(table.count > 500)
        #expect(table.models(of: .init(vendor: 0x04a9, product: 0x32f4)).map(\.model) == ["Canon EOS R5"])
        #expect(table.models(of: .init(vendor: 0x25fb, product: 0x0178)).first?.isDisk == true)
        #expect(table.models(of: .init(vendor: 0xffff, product: 0xffff)).isEmpty)
        #expect(table.playerVendors.contains(0x18d1) && !table.playerVendors.contains(0x054c))
    }

    @Test func `libgphoto2 can trigger products in tethering mode but not in MTP mode`() {
        for entry in knowledge.makers {
            for row in entry.products where row.mode == .tether || row.mode == .mtp {
                for vendor in row.vendor.map({ [$0] }) ?? entry.vendors {
                    let models = CameraTable.bundled.models(
                        of: .init(vendor: vendor.value, product: row.product.value))
                    guard !models.isEmpty else { continue }
                    let canCapture = models.contains(where: \.canCapture)
                    #expect(canCapture == (row.mode == .tether), "\(vendor):\(row.product)")
                }
            }
        }
    }

    /// Returns every text in the file. A text is an object with a confidence.
    private static func texts(_ knowledge: KnowledgeBase) throws -> [AdviceText] {
        func walk(_ value: Any) -> [AdviceText] {
            if let object = value as? [String: Any] {
                if let text = object["text"] as? String, let tag = object["confidence"] as? String,
                    let confidence = Confidence(rawValue: tag)
                {
                    return [AdviceText(text: text, confidence: confidence)]
                }
                return object.values.flatMap(walk)
            }
            return (value as? [Any])?.flatMap(walk) ?? []
        }
        return walk(try JSONSerialization.jsonObject(with: JSONEncoder().encode(knowledge.content)))
    }
}
