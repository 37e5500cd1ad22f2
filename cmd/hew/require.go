package main

import (
	"fmt"

	goversion "github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/config"
)

// requires holds this program against the configuration's required_version.
// A development build, which has no number, satisfies any.
func requires(cfg *config.Config) hcl.Diagnostics {
	settings, diags := cfg.Hew()
	if settings.RequiredVersion == "" {
		return diags
	}
	wanted, err := goversion.NewConstraint(settings.RequiredVersion)
	if err != nil {
		return append(diags, problem("Invalid required_version", "%q is not a constraint such as \">= 1.2, < 2\".", settings.RequiredVersion))
	}
	own, err := goversion.NewVersion(version)
	if err == nil && !wanted.Check(own) {
		diags = append(diags, problem("Another version of hew is required", "%s",
			fmt.Sprintf("The configuration requires %s, and this is hew %s. Use such a version, or change required_version in the hew block.", wanted, version)))
	}
	return diags
}
