package load

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/tree"
)

// Settings are only given the values that the API takes.
func TestSettingWords(t *testing.T) {
	t.Parallel()
	s := tree.NewProjectSettings()
	was := s
	wrong := attributes{
		"merge_method": json.RawMessage(`"octopus"`), "squash_option": json.RawMessage(`"maybe"`),
		"approvals_before_merge": json.RawMessage(`-1`), "issues_access_level": json.RawMessage(`"public"`),
		"ci_pipeline_variables_minimum_override_role": json.RawMessage(`"anyone"`),
	}.into(&s)
	require.Len(t, wrong, 5)
	require.Equal(t, was, s)
	require.Empty(t, attributes{
		"merge_method": json.RawMessage(`"ff"`), "pages_access_level": json.RawMessage(`"public"`),
		"approvals_before_merge": json.RawMessage(`2`),
	}.into(&s))
	require.Equal(t, "ff", s.MergeMethod)
	require.Equal(t, 2, s.ApprovalsBeforeMerge)
}
