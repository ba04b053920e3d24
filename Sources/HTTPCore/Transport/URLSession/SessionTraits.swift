// SPDX-License-Identifier: MIT

#if !canImport(Darwin)
/// How URLSession behaves on Linux.
enum SessionTraits {
    /// A task that is suspended and resumed starts over and gives its bytes again, so a slow reader holds
    /// nothing up.
    static let slowsBySuspending = false
    /// An upload from a file that ends before all of it was sent may end the process: Foundation goes on
    /// reading, and wakes a handle of libcurl's that has gone.
    static let takesFiles = false
}
#endif
