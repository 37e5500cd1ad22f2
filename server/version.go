package server

import "runtime/debug"

// Version is the release of the public API that hewd speaks; clients that look at it decide by it what they may send.
const Version = "17.2.0-ee"

// Revision is the short commit that this binary was built from, "unknown" outside a checkout.
func Revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 11 {
			return s.Value[:11]
		}
	}
	return "unknown"
}
