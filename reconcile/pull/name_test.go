package pull

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFileNames: whatever the name of a group, its file is in the directory, and hew reads it on
// every system.
func TestFileNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 255)
	n := names{}
	for _, c := range []struct{ path, want string }{
		{"acme", "acme.hcl"},
		{"Acme/Team_One", "acme-team_one.hcl"},
		{"acme/team-one", "acme-team-one.hcl"},
		{"acme-team/one", "acme-team-one-2.hcl"}, // as the one before
		{".acme", "acme-2.hcl"},                  // hidden files are not read
		{"acme/v1.2", "acme-v1-2.hcl"},
		{"acme.tftest", "acme-tftest.hcl"}, // nor are those of Terraform's tests
		{"override", "override-group.hcl"},
		{"acme_override", "acme_override-group.hcl"},
		{"nul", "nul-group.hcl"},
		{"../../etc/passwd", "etc-passwd.hcl"},
		{`..\..\x`, "x.hcl"},
		{"..", "unnamed.hcl"},
		{long + "/" + long, long[:maxFileName] + ".hcl"},
		{long + "/b", long[:maxFileName] + "-2.hcl"},
	} {
		require.Equal(t, c.want, n.file(c.path), c.path)
	}
}
