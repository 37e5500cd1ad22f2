package config

import (
	"fmt"

	goversion "github.com/hashicorp/go-version"
)

// Admits tells whether a version of hew satisfies required_version. Anything
// that is no release number, such as a development build, does.
func (s Settings) Admits(version string) bool {
	rules, err := constraints(s.RequiredVersion)
	if err != nil {
		return false // which Load has told
	}
	have, err := goversion.NewVersion(version)
	return err != nil || rules.Check(have)
}

// constraints reads a list such as ">= 1.2, < 2"; an empty one admits all.
func constraints(text string) (goversion.Constraints, error) {
	if text == "" {
		return nil, nil
	}
	rules, err := goversion.NewConstraint(text)
	if err != nil {
		return nil, fmt.Errorf("%q is no version: write numbers with dots, as in >= 1.2, < 2", text)
	}
	return rules, nil
}
