import APIClient
import FoundationEssentials
import FrameFastAPI
import Glibc
import SystemIO

/// Collects the files of the diagnostics archive, without secrets.
enum SupportFiles {
    /// The number of lines from the service's log.
    static let journalLines = 500

    /// Returns the names and texts of the files.
    ///
    /// - Parameters:
    ///   - doctor: The result of `doctor`, as JSON.
    ///   - unit: The unit whose log is collected.
    ///   - config: The path of the configuration file.
    static func collect(doctor: Data, client: FrameFastClient, unit: ServiceUnit, config: String)
        -> [(name: String, text: String)]
    {
        let cameras = (try? client.call(\.cameras.list))
        let devices = USBFacts.devices()
        var remover = SecretRemover()
        remover.serials = Set(cameras?.value.cameras.compactMap(\.serial) ?? []).union(
            devices.compactMap { $0["serial"] })
        var files: [(name: String, text: String)] = [
            ("doctor.json", String(decoding: doctor, as: UTF8.self)),
            ("status.json", json((try? client.call(\.service.status))?.body)),
            ("conditions.json", json((try? client.call(\.service.conditions))?.body)),
            ("cameras.json", json(cameras?.body)), ("version.txt", version(client)),
            ("system.txt", system()), ("usb.txt", USBFacts.text(devices)), ("journal.txt", journal(of: unit)),
        ]
        files = files.map { ($0.name, remover.clean($0.text) + "\n") }
        for (index, path) in configurations(config).enumerated() {
            let text = read(path) ?? "cannot be read\n"
            let clean = "# \(path)\n" + ConfigurationText.withoutSecrets(text)
            files.append(("config-\(index + 1).toml", remover.clean(clean)))
        }
        return files
    }

    private static func json(_ body: Data?) -> String {
        body.map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    private static func version(_ client: FrameFastClient) -> String {
        let daemon = (try? client.call(\.service.version))?.value.version ?? "not running"
        return "framefast \(ProductVersion.current)\nframefastd \(daemon)"
    }

    private static func system() -> String {
        var names = utsname()
        uname(&names)
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        }
        // Omit the host name, because it often contains a person's name.
        let kernel =
            "\(text(names.sysname)) \(text(names.release)) \(text(names.version)) \(text(names.machine))"
        return kernel + "\n" + (read("/etc/os-release") ?? "")
    }

    private static func journal(of unit: ServiceUnit) -> String {
        guard let path = ShortCommand.find("journalctl"),
            let result = ShortCommand.run(path, journalArguments(for: unit)), result.status == 0
        else { return "cannot be read" }
        return String(decoding: result.output, as: UTF8.self)
    }

    /// Returns the arguments of `journalctl` for the log of a unit.
    static func journalArguments(for unit: ServiceUnit) -> [String] {
        (unit.isUserUnit ? ["--user"] : []) + [
            "-u", "framefastd", "-n", String(journalLines), "--no-pager", "-o", "short-iso", "--no-hostname",
        ]
    }

    /// Returns the configuration file and the files in the `conf.d` folder next to it.
    private static func configurations(_ path: String) -> [String] {
        let folder = path.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/conf.d"
        let dropIns = names(in: folder).filter { $0.hasSuffix(".toml") }.map { folder + "/" + $0 }
        return (access(path, F_OK) == 0 ? [path] : []) + dropIns
    }

    /// Returns the sorted names in a folder, without hidden files. Returns an empty array if the folder
    /// cannot be read.
    static func names(in folder: String) -> [String] {
        ((try? IO.names(inFolder: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Returns the start of a file, or `nil` if it cannot be opened.
    static func read(_ path: String, bytesMax: Int = 1024 * 1024) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count < bytesMax {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Facts about USB devices, read from sysfs.
enum USBFacts {
    private static let folder = "/sys/bus/usb/devices"
    private static let attributes = [
        "idVendor", "idProduct", "bcdDevice", "manufacturer", "product", "serial", "speed",
        "bDeviceClass", "bConfigurationValue", "power/control",
    ]

    static func devices() -> [[String: String]] {
        SupportFiles.names(in: folder).filter { !$0.contains(":") }.map { name in
            var device = ["name": name]
            for attribute in attributes { device[attribute] = value("\(folder)/\(name)/\(attribute)") }
            device["interfaces"] = interfaces(name)
            return device
        }
    }

    static func text(_ devices: [[String: String]]) -> String {
        devices.map { device in
            let facts = (attributes + ["interfaces"]).compactMap { attribute in
                device[attribute].map { value in
                    "  \(attribute) \(attribute == "serial" ? SecretRemover.shortened(value) : value)"
                }
            }
            return ([device["name"] ?? ""] + facts).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Returns the class, subclass, protocol and driver of each interface.
    private static func interfaces(_ device: String) -> String? {
        let found = SupportFiles.names(in: folder).filter { $0.hasPrefix(device + ":") }.map { name in
            let path = "\(folder)/\(name)"
            let kind = ["bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol"]
                .compactMap { value("\(path)/\($0)") }.joined(separator: "/")
            var target = [CChar](repeating: 0, count: 1024)
            let length = readlink(path + "/driver", &target, target.count)
            guard length > 0 else { return kind }
            let link = String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return kind + " held by " + (link.split(separator: "/").last.map(String.init) ?? "")
        }
        return found.isEmpty ? nil : found.joined(separator: ", ")
    }

    private static func value(_ path: String) -> String? {
        SupportFiles.read(path, bytesMax: 4096).map { text in
            String(text.reversed().drop { $0.isWhitespace }.reversed())
        }
    }
}
