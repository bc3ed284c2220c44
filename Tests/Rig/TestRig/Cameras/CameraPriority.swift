import Foundation
import Glibc

/// The priority of simulated cameras and of the simulated USB bus: real ones have processors of their own.
///
/// libgphoto2 takes 2.5 s of silence on the network for the camera's end (`PTPIP_DEFAULT_TIMEOUT_S` in ptpip.c). On a
/// busy computer a simulated camera must not be silent because other programs run first.
public enum CameraPriority {
    /// Put before the program of a camera or a bus. Empty for a user who may not raise a priority.
    public static let wrapper = getuid() == 0 ? ["/usr/bin/nice", "-n", "-10"] : []
}
