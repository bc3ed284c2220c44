import Dispatch
import Foundation
import Glibc
import Synchronization
import USBHotplug

// Prints one line of JSON for each change on USB, for tests on a bus in user space.
//
// The program performs commands from standard input, one per line:
// - `holder NODE [PID…]`: prints the holder of a device, ignoring these processes.
// - `access NODE`: prints the access of this process to a node.
// - `reset NODE`: resets a device.
// - `count`: prints the number of the bus's threads and of open descriptors.
// - `reopen TIMES`: opens and closes another bus this number of times.
// - `close`: closes the bus.

/// All devices since the start, by node.
let known = Mutex<[String: USBDevice]>([:])

func printJSON(_ facts: [String: Any]) {
    guard
        let data = try? JSONSerialization.data(
            withJSONObject: facts, options: [.sortedKeys, .withoutEscapingSlashes])
    else { return }
    FileHandle.standardOutput.write(data + Data("\n".utf8))
}

func described(_ interface: USBInterface) -> [String: Any] {
    var facts: [String: Any] = [
        "number": interface.number, "class": Int(interface.classCode),
        "subclass": Int(interface.subclassCode), "protocol": Int(interface.protocolCode),
    ]
    if let driver = interface.driver { facts["driver"] = driver }
    if let interrupt = interface.interruptEndpoint {
        facts["interrupt"] = [interrupt.maxPacketBytes, interrupt.interval]
    }
    return facts
}

func described(_ device: USBDevice, _ event: String) -> [String: Any] {
    var facts: [String: Any] = [
        "event": event, "bus": device.bus, "number": device.number, "portPath": device.portPath,
        "vendorID": Int(device.vendorID), "productID": Int(device.productID),
        "deviceClass": Int(device.deviceClass), "configurations": device.configurationCount,
        "interfaces": device.interfaces.map { described($0) }, "properties": device.properties,
        "node": device.nodePath, "driverPort": device.driverPort,
    ]
    facts["manufacturer"] = device.manufacturer
    facts["product"] = device.product
    facts["serial"] = device.serial
    return facts
}

func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
}

/// Returns the number of FrameFast's and libusb's event threads. Runtime threads are ignored because their
/// number isn't predictable.
func busThreads() -> Int {
    names(in: "/proc/self/task").count { thread in
        let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
        return name == "usb-events\n" || name == "libusb_event\n"
    }
}

func reply(_ line: String, on bus: USBBus) async -> [String: Any] {
    let words = line.split(separator: " ").map(String.init)
    switch words.first {
    case "count":
        return ["threads": busThreads(), "descriptors": names(in: "/proc/self/fd").count]
    case "reopen":
        for _ in 0..<(Int(words.last ?? "") ?? 0) {
            do { try USBBus().close() } catch { return ["error": "\(error)"] }
        }
        return ["reopened": true]
    case "close":
        bus.close()
        return ["closed": true]
    default: break
    }
    guard words.count >= 2, let device = known.withLock({ $0[words[1]] }) else {
        return ["error": "no such device or command: \(line)"]
    }
    switch words[0] {
    case "holder":
        switch await bus.holder(of: device, excluding: Set(words.dropFirst(2).compactMap { Int32($0) })) {
        case .driver(let name): return ["driver": name]
        case .program(let pid, let name): return ["pid": Int(pid), "name": name]
        case .hiddenProgram: return ["hidden": true]
        case nil: return ["free": true]
        }
    case "access":
        switch bus.access(to: device) {
        case .allowed: return ["access": "allowed"]
        case .denied(let owner, let group, let mode):
            return ["access": "denied", "owner": owner, "group": group, "mode": String(mode, radix: 8)]
        case .blocked: return ["access": "blocked"]
        case .missing: return ["access": "missing"]
        }
    case "reset":
        do { try await bus.reset(device) } catch { return ["error": "\(error)"] }
        return ["reset": true]
    default: return ["error": "unknown command: \(line)"]
    }
}

do {
    let bus = try USBBus()
    let commands = Thread {
        while let line = readLine() {
            let done = DispatchSemaphore(value: 0)
            Task {
                printJSON(await reply(line, on: bus))
                done.signal()
            }
            done.wait()
        }
        exit(0)
    }
    commands.start()
    for await change in bus.changes {
        switch change {
        case .arrived(let device):
            known.withLock { $0[device.nodePath] = device }
            printJSON(described(device, "arrived"))
        case .left(let device): printJSON(described(device, "left"))
        }
    }
    printJSON(["event": "end"])
    // The command thread ends the program, because a test sends `count` after `close`.
    while true { pause() }
} catch {
    printJSON(["error": "\(error)"])
    exit(1)
}
