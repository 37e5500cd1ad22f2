package hostapi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/forge/hostapi"
)

// A host that names next pages for ever, or large ones, is not read for ever.
func TestWalk(t *testing.T) {
	t.Parallel()
	read := func(page func(n int) (string, int)) (pages int, err error) {
		for w := (hostapi.Walk{}); err == nil; pages++ {
			address, size := page(pages)
			err = w.Add(address, hostapi.Answer{Body: make([]byte, size)})
		}
		return pages, err
	}
	n, err := read(func(n int) (string, int) { return fmt.Sprint(n % 3), 0 })
	require.EqualError(t, err, "the host names a next page that was read before")
	require.Equal(t, 4, n)
	n, err = read(func(n int) (string, int) { return fmt.Sprint(n), 0 })
	require.EqualError(t, err, "the list has more than 2000 pages")
	require.Equal(t, 2001, n)
	n, err = read(func(n int) (string, int) { return fmt.Sprint(n), 64 << 20 })
	require.EqualError(t, err, "the list is larger than 128 MiB")
	require.Equal(t, 3, n)
}
