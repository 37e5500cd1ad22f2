package file_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile/file"
)

func TestDir(t *testing.T) {
	t.Parallel()
	d := file.Dir{FS: fstest.MapFS{"work/main.hcl": {Data: []byte("here")},
		"beside/main.hcl": {Data: []byte("beside")}}, Root: "work"}
	for name, c := range map[string]struct {
		name, want string
		err        error  // what the error is,
		says       string // or what it says
	}{
		"in it":             {name: "main.hcl", want: "here"},
		"roundabout":        {name: "./x/../main.hcl", want: "here"},
		"beside it":         {name: "../beside/main.hcl", want: "beside"},
		"not there":         {name: "none.hcl", err: fs.ErrNotExist},
		"absolute":          {name: "/etc/main.hcl", says: "relative to the configuration's directory"},
		"out of everything": {name: "../../main.hcl", says: "relative to the configuration's directory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := d.Read(c.name)
			_, stat := d.Stat(c.name)
			switch {
			case c.err != nil:
				require.ErrorIs(t, err, c.err)
				require.ErrorIs(t, stat, c.err)
			case c.says != "":
				_, list := d.List(c.name)
				_, sub := d.Sub(c.name)
				for _, err := range []error{err, stat, list, sub} {
					require.ErrorContains(t, err, c.says)
				}
			default:
				require.NoError(t, err)
				require.NoError(t, stat)
				require.Equal(t, c.want, string(got))
			}
		})
	}
	beside, err := d.Sub("../beside")
	require.NoError(t, err)
	require.NoError(t, fstest.TestFS(beside, "main.hcl"))
	entries, err := d.List("..")
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

func TestPlain(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\nb\rc\n", string(file.Normalize([]byte("\xef\xbb\xbfa\r\nb\rc\r\n"))))
	require.Equal(t, "a\xef\xbb\xbf", string(file.Normalize([]byte("a\xef\xbb\xbf"))), "inside it is a character")
}
