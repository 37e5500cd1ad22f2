package didyoumean_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/didyoumean"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		typed      string
		candidates []string
		want       string
	}{
		"a letter missing":       {"grop", []string{"project", "group"}, "group"},
		"a letter too many":      {"aplly", []string{"plan", "apply"}, "apply"},
		"two that changed place": {"paht", []string{"name", "path"}, "path"},
		"upper case":             {"Visibility", []string{"visibility"}, "visibility"},
		"the nearest":            {"names", []string{"nams", "named", "name"}, "nams"},
		"nearer wins":            {"grouq", []string{"grouping", "group"}, "group"},
		"long names forgive": {"only_allow_merge_if_pipline_suceeds",
			[]string{"only_allow_merge_if_pipeline_succeeds"}, "only_allow_merge_if_pipeline_succeeds"},
		"short names do not":  {"id", []string{"ab", "to"}, ""},
		"one letter":          {"x", []string{"y"}, ""},
		"nothing":             {"", []string{"y"}, ""},
		"far away":            {"banana", []string{"group", "project"}, ""},
		"itself":              {"group", []string{"group"}, ""},
		"none to choose from": {"group", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, didyoumean.Nearest(c.typed, c.candidates))
			hint := ""
			if c.want != "" {
				hint = ` Did you mean "` + c.want + `"?`
			}
			require.Equal(t, hint, didyoumean.Hint(c.typed, c.candidates))
		})
	}
}
