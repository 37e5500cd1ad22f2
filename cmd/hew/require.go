package main

import (
	"fmt"

	goversion "github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/config"
)

// requires holds this program against the configuration's required_version.
func requires(cfg *config.Config) hcl.Diagnostics {
	if err := meets(version, cfg.Hew().RequiredVersion); err != nil {
		return hcl.Diagnostics{problem("Unmet required_version", "%s", err)}
	}
	return nil
}

// meets tells whether a version satisfies a constraint. A development build,
// which has no number, satisfies any that can be read.
func meets(own, wanted string) error {
	if wanted == "" {
		return nil
	}
	constraint, err := goversion.NewConstraint(wanted)
	if err != nil {
		return fmt.Errorf("the required_version %q is not a constraint such as \">= 1.2, < 2\"", wanted)
	}
	number, err := goversion.NewVersion(own)
	if err == nil && !constraint.Check(number) {
		return fmt.Errorf("the configuration requires hew %s, and this is %s: use such a version, or change required_version in the hew block", constraint, own)
	}
	return nil
}
