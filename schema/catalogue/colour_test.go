package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
)

func TestColours(t *testing.T) {
	t.Parallel()
	for stated, want := range map[string]struct{ kept, same string }{
		"#FF0000":       {"#FF0000", "#ff0000"},
		"#ff0000":       {"#ff0000", "#ff0000"},
		"#F00":          {"#F00", "#ff0000"},
		"red":           {"#FF0000", "#ff0000"},
		"Red":           {"#FF0000", "#ff0000"},
		"rebeccapurple": {"#663399", "#663399"},
		"reddish":       {"", "reddish"},
		"ff0000":        {"", "ff0000"},
		"#ff00":         {"", "#ff00"},
		"#ff0000 ":      {"", "#ff0000 "},
		"":              {"", ""},
	} {
		kept, ok := catalogue.Colour(stated)
		require.Equal(t, want.kept, kept, stated)
		require.Equal(t, want.kept != "", ok, stated)
		require.Equal(t, want.same, catalogue.SameColour(stated), stated)
	}
}
