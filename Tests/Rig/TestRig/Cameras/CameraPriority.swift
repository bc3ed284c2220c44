import Foundation
import Glibc

/// The priority of simulated cameras and of the simulated USB bus.
///
/// Real cameras have their own processors. libgphoto2 treats a network camera as lost after 2.5 s without a
/// response (`PTPIP_DEFAULT_TIMEOUT_S` in ptpip.c). With a higher priority, a simulated camera responds in
/// time on a busy computer.
public enum CameraPriority {
    /// The command in front of a camera or bus program. It is empty for users who can't raise priorities.
    public static let wrapper = getuid() == 0 ? ["/usr/bin/nice", "-n", "-10"] : []
}
