// SPDX-License-Identifier: MIT

import Testing

/// An ordinary program that runs the tests: what SwiftPM makes for a test target takes a module called
/// Darwin for Apple's and can't be compiled.
@main
enum Main {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
