import Localization
import USBTopology

/// What a rig's USB can take, from what is plugged in.
struct USBReport {
    var tree: USBTree
    /// What the kernel lends for data on the wire, in bytes; `nil` for no limit.
    var memoryBytes: Int?
    /// What the kernel said of devices that it has no room for; `nil` when it may not be asked.
    var refusals: [String]?

    /// The report of this computer.
    static func collect() -> USBReport {
        USBReport(tree: .read(), memoryBytes: USBMemory.limitBytes, refusals: KernelRefusals.read())
    }

    /// Size of a photo for which times are told, in megabytes: a RAW of 24 to 45 megapixels.
    static let photoMegabytes = 30
    /// Devices on one controller from which on its room is told: several have 32 slots, hubs included.
    static let manyDevices = 24
    /// Endpoints on one controller from which on its room is told: some have 64, some 96.
    static let manyEndpoints = 56

    /// Megabytes a second that devices of one bus share: what was measured on real rigs, not what the wire could.
    static func megabytesPerSecond(megabits: Int) -> Int {
        switch megabits {
        case ..<480: 1
        case ..<5_000: 45
        default: 300
        }
    }

    /// Seconds until a photo of each camera on a bus is here.
    static func seconds(_ bus: USBTree.Bus) -> Int {
        let rate = megabytesPerSecond(megabits: bus.megabits)
        return (bus.cameras.count * photoMegabytes + rate - 1) / rate
    }

    /// How many cameras can be read at a time.
    var readers: Int { USBMemory.readers(limitBytes: memoryBytes) }

    /// Something worth knowing.
    struct Note: Hashable {
        var isProblem = false
        var sentence: String
        var steps: [String] = []
    }

    /// What is worth knowing, problems first.
    var notes: [Note] {
        var notes: [Note] = []
        if let refusals, let last = refusals.last {
            notes.append(
                Note(
                    isProblem: true,
                    sentence:
                        localized(
                            "The kernel had no room for a device, which appears nowhere else then. It said: \(last)"
                        ),
                    steps: [
                        localized(
                            "Move some cameras to another controller: another port of the computer, or a card with its own."
                        )
                    ]))
        }
        for controller in tree.controllers
        where controller.devices.count >= Self.manyDevices || controller.endpoints >= Self.manyEndpoints {
            notes.append(
                Note(
                    sentence:
                        localized(
                            "Controller \(controller.name) has \(controller.devices.count) devices with \(controller.endpoints) endpoints. Some have room for 32 devices, hubs included, and for 64 or 96 endpoints: a camera that does not appear needs another controller."
                        )
                ))
        }
        if tree.cameras.count > readers {
            notes.append(
                Note(
                    sentence:
                        localized(
                            "The kernel's memory for USB, \((memoryBytes ?? 0) >> 20) MB, is enough for \(readers) of the \(tree.cameras.count) cameras at a time; the others wait their turn."
                        ),
                    steps: [
                        localized("For more at a time: echo 256 | sudo tee \(USBMemory.path)"),
                        localized(
                            "After each start of the computer: sudo cp /usr/share/doc/framefast/examples/usb-memory.conf /etc/tmpfiles.d/"
                        ),
                    ]))
        }
        return notes
    }
}
