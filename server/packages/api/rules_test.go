package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/servertest"
)

// Rules can be about the types of packages that hew knows, and about no others.
func TestRuleTypes(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	for _, kind := range catalogue.PackageTypes {
		p.rule("Acme.*", kind, "push", "owner")
	}
	var list []struct {
		ID          int64
		PackageType string `json:"package_type"`
	}
	p.do(200, p.owner.Token, "GET", p.at("/protection/rules"), nil).Into(t, &list)
	var kinds []string
	for _, r := range list {
		kinds = append(kinds, r.PackageType)
		body := map[string]any{"package_type": "composer"}
		p.do(400, p.owner.Token, "PATCH", p.at(fmt.Sprintf("/protection/rules/%d", r.ID)), body)
		body["package_type"] = r.PackageType
		p.do(200, p.owner.Token, "PATCH", p.at(fmt.Sprintf("/protection/rules/%d", r.ID)), body)
	}
	require.Equal(t, catalogue.PackageTypes, kinds)
}
