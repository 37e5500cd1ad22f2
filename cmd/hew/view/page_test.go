package view

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPagesFold has prose fold to a terminal, items hang, and code stay as it
// is.
func TestPagesFold(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	Console{Writer: &b, Width: 30}.Page("What is said here is longer than that.\n\n- `name` (`string`): What people " +
		"read in lists.\n\n" +
		"```hcl\nname = \"a line that is longer than that\"\n```\n")
	require.Equal(t, `What is said here is longer
than that.

- `+"`name` (`string`): What"+`
  people read in lists.

`+"```hcl"+`
name = "a line that is longer than that"
`+"```\n", b.String())
}
