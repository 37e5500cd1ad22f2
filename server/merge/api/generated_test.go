package api_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each list of changed files says which of them are generated, by .gitattributes of the newer
// commit or by their names (more §6.1).
func TestDiffsSayWhatIsGenerated(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.commit("main", "", ".gitattributes", "*.go gitlab-generated\n")
	actions := []any{
		map[string]any{"action": "update", "file_path": ".gitattributes", "content": "*.pb gitlab-generated\n" +
			"go.sum -gitlab-generated\n"},
	}
	for _, path := range []string{"a.pb", "main.go", "go.sum", "yarn.lock"} {
		actions = append(actions, map[string]any{"action": "create", "file_path": path, "content": "1\n"})
	}
	require.Equal(t, 201, d.api("POST", "repository/commits", map[string]any{
		"branch": "topic", "start_branch": "main", "commit_message": "Add files", "actions": actions,
	}).Status)
	one := fmt.Sprintf("merge_requests/%d", d.open("topic").IID)
	var versions []struct{ ID int }
	d.api("GET", one+"/versions", nil).Into(t, &versions)
	for path, key := range map[string]string{
		one + "/diffs": "", one + "/changes": "changes", fmt.Sprintf("%s/versions/%d", one, versions[0].ID): "diffs",
		"repository/commits/topic/diff": "", "repository/compare?from=main&to=topic": "diffs",
	} {
		body := json.RawMessage(d.api("GET", path, nil).Body)
		if key != "" {
			var parts map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(body, &parts))
			body = parts[key]
		}
		var files []struct {
			Path      string `json:"new_path"`
			Generated bool   `json:"generated_file"`
		}
		require.NoError(t, json.Unmarshal(body, &files), path)
		got := map[string]bool{}
		for _, f := range files {
			got[f.Path] = f.Generated
		}
		require.Equal(t, map[string]bool{
			".gitattributes": false, "a.pb": true, "main.go": false, "go.sum": false, "yarn.lock": true,
		}, got, path)
	}
}
