package config

import (
	"fmt"
	"regexp"

	goversion "github.com/hashicorp/go-version"
)

// release is a release's number, or that of a candidate for one. What is built
// between releases is called after its commit, 1a2b3c4 or v1.2.0-5-g1a2b3c4.
var release = regexp.MustCompile(`^v?[0-9]+(\.[0-9]+)+(-[0-9A-Za-z.]+)?$`)

// Admits tells whether a version of hew satisfies required_version. A candidate
// counts as the release that it is to become; anything that is no release, such
// as a development build, satisfies any.
func (s Settings) Admits(version string) bool {
	rules, err := constraints(s.RequiredVersion)
	if err != nil {
		return false // which Load has told
	}
	have, err := goversion.NewVersion(version)
	return err != nil || !release.MatchString(version) || rules.Check(have.Core())
}

// constraints reads a list such as ">= 1.2, < 2"; an empty one admits all.
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
