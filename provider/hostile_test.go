package provider

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// TestHostileNumbersAndIDs: a number of a few digits can fill the memory when it is printed, and an
// id becomes a part of paths and of the ledger.
func TestHostileNumbersAndIDs(t *testing.T) {
	t.Parallel()
	k := the(projectLabel)
	for name, c := range map[string]struct{ row, wrong string }{
		"number as name":   {`{"id":1,"name":1e999999}`, "the number 1e999999 is out of range"},
		"id beyond int64":  {`{"id":99999999999999999999,"name":"a"}`, ""},
		"id of a megabyte": {`{"id":` + strings.Repeat("9", 1<<20) + `,"name":"a"}`, "has an id of 1048576 characters"},
		"huge negative id": {`{"id":-1e999999,"name":"a"}`, "has no id"},
		"deep":             {`{"id":1,"name":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "shape"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := serve(t, script{"GET /projects/7/labels": list(c.row)})
			r := h.Read(t.Context(), []schema.Query{{Kind: &k.Kind, Collection: k.In("7")}})[0]
			if c.wrong == "" {
				require.NoError(t, r.Err)
				require.Equal(t, "99999999999999999999", r.Objects[0].ID)
				return
			}
			require.ErrorContains(t, r.Err, c.wrong)
			require.Less(t, len(r.Err.Error()), 1000)
		})
	}
	for _, text := range []string{"1e999999", "-1e999999", "1e-999999", strings.Repeat("9", 500)} {
		_, err := fromJSON([]byte(text), cty.Number)
		require.ErrorContains(t, err, "is out of range")
	}
	v, err := fromJSON([]byte("1.5e300"), cty.Number)
	require.NoError(t, err)
	require.True(t, v.AsBigFloat().Sign() > 0)
}

// TestErrorsOfWritesHideSecretsOfURLs: neither a refusal nor a value that the host kept shows what
// is secret in a URL or under a key.
func TestErrorsOfWritesHideSecretsOfURLs(t *testing.T) {
	t.Parallel()
	h := serve(t, script{
		"POST /projects/7/hooks": {status: 422,
			body: `{"message":{"url":["https://bot:one-pw@h.example/?token=two-pw is blocked"]}}`},
		"PUT /projects/7/hooks/71": {status: 200, body: `{"id":71,"url":"https://live.example/?token=three-pw"}`},
		"PUT /projects/7/integrations/asana": {status: 200,
			body: `{"id":1,"slug":"asana","active":true,"properties":{"api_key":"four-pw","restrict_to_branch":"x"}}`},
	})
	to := declared(the(projectHook), "project", api, "url", "https://bot:one-pw@h.example/?token=two-pw")
	_, err := h.Create(t.Context(), to)
	require.ErrorContains(t, err, "h.example/?token=… is blocked")
	require.NotContains(t, err.Error(), "-pw")
	_, err = h.Update(t.Context(), found(to, "71"), schema.Assigns(to, "url"))
	require.ErrorContains(t, err, `has "https://live.example/?token=…"`)
	require.NotContains(t, err.Error(), "-pw")

	to = declared(the(projectIntegration), "project", api, "slug", "asana", "properties",
		cty.MapVal(map[string]cty.Value{"api_key": cty.StringVal("five-pw"), "restrict_to_branch": cty.StringVal("main")}))
	_, err = h.Update(t.Context(), found(to, "asana"), schema.Assigns(to, "properties"))
	require.ErrorContains(t, err, "properties (sent")
	require.NotContains(t, err.Error(), "-pw")
}
