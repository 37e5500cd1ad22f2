package emoji_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark-emoji/definition"

	"hew/server/emoji"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"thumbsup": "thumbsup", "+1": "thumbsup", "thumbsdown": "thumbsdown", "-1": "thumbsdown", "100": "100",
		"smile": "smile", "tada": "tada", "rocket": "rocket", "heart": "heart", "eyes": "eyes",
		"white_check_mark": "white_check_mark", "x": "x", "laughing": "laughing", "satisfied": "laughing",
		"collision": "boom", "poop": "hankey",
	} {
		got, ok := emoji.Canonical(name)
		require.True(t, ok, name)
		require.Equal(t, want, got, name)
	}
	for _, name := range []string{"", "foo", ":smile:", "Smile", "octocat", "👍", "smile ", "+", "\x00"} {
		_, ok := emoji.Canonical(name)
		require.False(t, ok, name)
	}
}

// Every short name of an emoji has the same canonical name, which is canonical itself.
func TestAliases(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"+1", "-1", "satisfied", "collision", "shit", "hocho", "moon", "uk", "envelope"} {
		e, ok := definition.Github().Get(name)
		require.True(t, ok)
		canonical, ok := emoji.Canonical(name)
		require.True(t, ok)
		for _, short := range append(slices.Clip(e.ShortNames), canonical) {
			got, ok := emoji.Canonical(short)
			require.True(t, ok)
			require.Equal(t, canonical, got, short)
		}
	}
}
