// SPDX-License-Identifier: MIT

#if !canImport(Darwin)
/// On Linux a task that is suspended and resumed starts over and gives its bytes again, so a slow reader
/// holds nothing up.
enum BackPressure {
    static let bySuspending = false
}
#endif
