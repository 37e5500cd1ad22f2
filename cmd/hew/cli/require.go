package cli

import (
	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/config"
)

// requires holds a version of hew against the one that the configuration asks
// for.
func requires(hew config.Settings, own string) hcl.Diagnostics {
	if hew.Admits(own) {
		return nil
	}
	d := problem("Unmet required_version",
		"The configuration requires hew %s, and this is %s: use such a version, or change required_version in the hew block.", hew.RequiredVersion, own)
	d.Subject = &hew.RequiredAt
	return hcl.Diagnostics{d}
}
