// SPDX-License-Identifier: MIT

// Reads and builds header fields, whose names match in any letter case.

import HTTPEndpoints

var fields: HTTPFields = ["Accept": "application/json"]
fields["accept"] = "text/csv"

fields.append("Set-Cookie", "a=1")
fields.append("Set-Cookie", "b=2")
print(fields["ACCEPT"] ?? "", fields.values("set-cookie"))
