// SPDX-License-Identifier: MIT

// Nothing of its own: it is there so that `canImport(Darwin)` is true, as on every platform of Apple.
