package servertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/setting"
)

// requestLimits are the settings that limit how often somebody may do something.
var requestLimits = []string{
	"issues_create_limit", "notes_create_limit", "search_rate_limit", "search_rate_limit_unauthenticated",
	"project_import_limit", "project_export_limit", "project_download_export_limit",
}

// unlimited lets everybody do everything as often as a test does.
func (s *Server) unlimited(t testing.TB) {
	for _, limit := range requestLimits {
		require.NoError(t, setting.Set(t.Context(), s.Store, limit, 0))
	}
}
