import Foundation
import Glibc

/// The priority of simulated cameras and of the simulated USB bus.
///
/// Real cameras have their own processors. libgphoto2 treats 2.5 s of silence on the network as a lost camera
/// (`PTPIP_DEFAULT_TIMEOUT_S` in ptpip.c). On a busy computer other programs must not make a simulated camera
/// silent.
public enum CameraPriority {
    /// The command in front of a camera or bus program. It is empty for users who can't raise priorities.
    public static let wrapper = getuid() == 0 ? ["/usr/bin/nice", "-n", "-10"] : []
}
