import Glibc
import NIOCore

/// The names and addresses of this computer.
public struct LocalNetwork: Hashable, Sendable {
    /// The computer's name without a domain, in lower case, or `nil` if the name isn't usable in a URL.
    public var hostName: String?
    /// The addresses of all network interfaces.
    public var addresses: [IPAddress]

    /// Returns the current names and addresses of this computer. If the kernel reports an error, the list of
    /// addresses is empty.
    public static func current() -> LocalNetwork {
        let devices = (try? System.enumerateDevices()) ?? []
        let addresses = devices.compactMap { $0.address?.ipAddress.flatMap { IPAddress($0) } }
        return LocalNetwork(hostName: systemName, addresses: addresses)
    }

    /// The addresses under which other devices of a private network can reach this computer, and loopback.
    ///
    /// Link-local IPv6 addresses are left out, because a browser can't name their interface.
    var privateAddresses: [IPAddress] {
        var found: [IPAddress] = []
        for address in addresses where !found.contains(address) {
            switch address.scope {
            case .privateNetwork, .loopback: found.append(address)
            case .linkLocal: if !address.isIPv6 { found.append(address) }
            case .global: break
            }
        }
        return found
    }

    /// The names under which a browser may request the page.
    var names: [String] { hostName.map { [$0, $0 + ".local"] } ?? [] }

    private static var systemName: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return label(of: text)
    }

    /// Returns the first label of a host name in lower case, or `nil` if it isn't a valid label.
    static func label(of name: String) -> String? {
        let label = name.prefix { $0 != "." }.lowercased()
        let isValid = label.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte)
        }
        return isValid && (1...63).contains(label.utf8.count) ? label : nil
    }
}
