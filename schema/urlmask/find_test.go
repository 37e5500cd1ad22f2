package urlmask

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzURLs compares urls with a regular expression that says the same.
func FuzzURLs(f *testing.F) {
	for _, text := range []string{
		"", "://", "a", "https://host/path", "see https://a.b/c, and http://d ", "x://y://z", "a b+c.d-e://f\tg://h\n", "é://é",
		"://a ://b", "http:///x", "a://\u00a0b", "\xff://\xff x", "a:/b", "a:://b", "1://2\r3://4\f5://6",
	} {
		f.Add(text)
	}
	same := regexp.MustCompile(`[A-Za-z0-9+.-]*://\S*`)
	f.Fuzz(func(t *testing.T, text string) {
		var got [][]int
		for start, end := range urls(text) {
			got = append(got, []int{start, end})
		}
		require.Equal(t, same.FindAllStringIndex(text, -1), got, "%q", text)
		require.Equal(t, same.FindString(text), Find(text))
		bracket := func(s string) string { return "<" + s + ">" }
		require.Equal(t, same.ReplaceAllStringFunc(text, bracket), replaceURLs(text, bracket))
	})
}
