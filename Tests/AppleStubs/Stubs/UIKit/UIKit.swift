// SPDX-License-Identifier: MIT

// Nothing of its own yet: it is there so that `canImport(UIKit)` is true, as everywhere but on the Mac.
