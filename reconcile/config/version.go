package config

import (
	"fmt"

	goversion "github.com/hashicorp/go-version"

	"hew/schema/pattern"
)

// release matches the version of a release or a release candidate. A build between
// releases has a version from its commit, such as 1a2b3c4 or v1.2.0-5-g1a2b3c4.
var release = pattern.Lazy(`^v?[0-9]+(\.[0-9]+)+(-[0-9A-Za-z.]+)?$`)

// Admits reports whether a version of hew satisfies required_version. A release candidate
// counts as its release. A version that is not a release, such as a development build,
// satisfies any constraint.
func (s Settings) Admits(version string) bool {
	rules, err := constraints(s.RequiredVersion)
	if err != nil {
		return false // Load has reported it
	}
	have, err := goversion.NewVersion(version)
	return err != nil || !release().MatchString(version) || rules.Check(have.Core())
}

// constraints parses a list such as ">= 1.2, < 2". An empty one allows all versions.
func constraints(text string) (goversion.Constraints, error) {
	if text == "" {
		return nil, nil
	}
	rules, err := goversion.NewConstraint(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a valid version constraint. Write versions such as >= 1.2, < 2", text)
	}
	return rules, nil
}
