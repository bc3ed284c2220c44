/// What is plugged in where: controllers, their buses, hubs and devices, as sysfs has them. Nothing is asked of a device.
public struct USBTree: Hashable, Sendable {
    /// A chip with one or more buses: its slots and endpoints are shared by all of them.
    public struct Controller: Hashable, Sendable {
        /// Its address in the computer: `0000:00:14.0`.
        public var name: String
        /// Its buses by number: one for each generation of the wire.
        public var buses: [Bus]

        /// Creates a value.
        public init(name: String, buses: [Bus]) {
            self.name = name
            self.buses = buses
        }

        /// Every device behind it, hubs included, root hubs not.
        public var devices: [Device] { buses.flatMap(\.all) }
        /// Endpoints of its devices, those for control included.
        public var endpoints: Int { devices.map(\.endpoints).reduce(0, +) }
    }

    /// A root hub with what hangs on it: devices that share its wire.
    public struct Bus: Hashable, Sendable {
        /// Its number, 1 and up.
        public var number: Int
        /// Megabits a second on the wire.
        public var megabits: Int
        /// What is plugged in, by port.
        public var devices: [Device]

        /// Creates a value.
        public init(number: Int, megabits: Int, devices: [Device]) {
            self.number = number
            self.megabits = megabits
            self.devices = devices
        }

        /// Every device, hubs included.
        public var all: [Device] { devices.flatMap(\.withChildren) }
        /// Cameras, wherever they hang.
        public var cameras: [Device] { all.filter(\.isCamera) }
    }

    /// A device or a hub.
    public struct Device: Hashable, Sendable {
        /// Where it is plugged in: `1-1.4`.
        public var path: String
        /// What it says it is; `nil` when it says nothing.
        public var product: String?
        /// Megabits a second.
        public var megabits: Int
        /// Whether others can be plugged into it.
        public var isHub: Bool
        /// Whether it has an interface for still images (`06/01/01`).
        public var isCamera: Bool
        /// Its endpoints, the one for control included.
        public var endpoints: Int
        /// What is plugged into it, by port.
        public var children: [Device]

        /// Creates a value.
        public init(
            path: String, product: String? = nil, megabits: Int, isHub: Bool = false, isCamera: Bool = false,
            endpoints: Int = 1, children: [Device] = []
        ) {
            self.path = path
            self.product = product
            self.megabits = megabits
            self.isHub = isHub
            self.isCamera = isCamera
            self.endpoints = endpoints
            self.children = children
        }

        /// It and everything behind it.
        public var withChildren: [Device] { [self] + children.flatMap(\.withChildren) }
    }

    /// Controllers by name.
    public var controllers: [Controller]

    /// Creates a tree.
    public init(controllers: [Controller]) { self.controllers = controllers }

    /// Every camera.
    public var cameras: [Device] { controllers.flatMap { $0.buses.flatMap(\.cameras) } }
}

extension USBTree {
    /// Entries of the folder that are read, at most: a bus has 127 devices, each with some interfaces.
    private static let entriesMax = 20_000

    /// Reads the computer's tree; empty without USB.
    ///
    /// - Parameter folder: Where sysfs has the devices of all buses.
    public static func read(_ folder: String = "/sys/bus/usb/devices") -> USBTree {
        let names = SystemFiles.names(in: folder, limit: entriesMax)
        let interfaces = Dictionary(grouping: names.filter { $0.contains(":") }) {
            String($0.prefix { $0 != ":" })
        }
        let devices = names.filter { $0.contains("-") && !$0.contains(":") }
        let children = Dictionary(grouping: devices) { parent(of: $0) }

        func number(_ device: String, _ name: String, radix: Int = 10) -> Int? {
            SystemFiles.text("\(folder)/\(device)/\(name)").flatMap { Int($0.trimmed, radix: radix) }
        }
        func megabits(_ device: String) -> Int {
            // `1.5` for the slowest.
            SystemFiles.text("\(folder)/\(device)/speed").flatMap { Double($0.trimmed) }.map(Int.init) ?? 0
        }
        func device(_ path: String) -> Device {
            let own = interfaces[path] ?? []
            return Device(
                path: path, product: SystemFiles.text("\(folder)/\(path)/product"), megabits: megabits(path),
                isHub: number(path, "bDeviceClass", radix: 16) == 9,
                isCamera: own.contains { interface in
                    ["bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol"]
                        .map { number(interface, $0, radix: 16) } == [6, 1, 1]
                },
                endpoints: 1 + own.compactMap { number($0, "bNumEndpoints", radix: 16) }.reduce(0, +),
                children: below(path))
        }
        func below(_ path: String) -> [Device] {
            (children[path] ?? []).sorted { ports($0).lexicographicallyPrecedes(ports($1)) }.map(device)
        }

        var controllers: [String: [Bus]] = [:]
        for name in names where name.hasPrefix("usb") {
            guard let bus = Int(name.dropFirst(3)), bus > 0 else { continue }
            // usb1 → …/pci0000:00/0000:00:14.0/usb1
            let place = SystemFiles.target("\(folder)/\(name)")?.split(separator: "/").dropLast().last
            controllers[place.map(String.init) ?? name, default: []].append(
                Bus(number: bus, megabits: megabits(name), devices: below(name)))
        }
        return USBTree(
            controllers: controllers.sorted { $0.key < $1.key }.map {
                Controller(name: $0.key, buses: $0.value.sorted { $0.number < $1.number })
            })
    }

    /// `1-1.4` hangs on `1-1`, that on `usb1`.
    static func parent(of path: String) -> String {
        if let dot = path.lastIndex(of: ".") { return String(path[..<dot]) }
        return "usb\(path.prefix { $0 != "-" })"
    }

    /// `1-1.4` is at ports 1 and 4 of bus 1.
    private static func ports(_ path: String) -> [Int] {
        path.split { "-.".contains($0) }.compactMap { Int($0) }
    }
}

extension String {
    fileprivate var trimmed: Substring {
        guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return self[first...last]
    }
}
