package tree_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/tree"
)

func TestProjectSettingsAreStoredByWhatDiffers(t *testing.T) {
	t.Parallel()
	kept := func(s tree.ProjectSettings) string {
		text, err := json.Marshal(s)
		require.NoError(t, err)
		var read tree.ProjectSettings
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, s, read)
		return string(text)
	}
	s := tree.NewProjectSettings()
	require.JSONEq(t, `{}`, kept(s))

	no := false
	s.CIDefaultGitDepth, s.LFSEnabled, s.AllowMergeOnSkippedPipeline = nil, false, &no
	s.ContainerExpirationPolicy.KeepN = nil
	require.JSONEq(t, `{
		"ci_default_git_depth": null, "lfs_enabled": false, "allow_merge_on_skipped_pipeline": false,
		"container_expiration_policy": {
			"cadence": "1d", "enabled": false, "keep_n": null, "older_than": "90d", "name_regex": null, "name_regex_keep": null
		}
	}`, kept(s))
}
