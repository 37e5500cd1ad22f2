package catalogue_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
)

func TestHookSecrets(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("v", 2049)
	for _, c := range []struct {
		check       func(name, value string) error
		name, value string
		says        string // "" accepts
	}{
		{catalogue.CheckHookHeader, "X-Key", "a\tvalue", ""},
		{catalogue.CheckHookHeader, strings.Repeat("x", 255), strings.Repeat("v", 2048), ""},
		{catalogue.CheckHookHeader, "user-agent", "mine", ""},
		{catalogue.CheckHookHeader, "X_Key", "v", "no name of a header"},
		{catalogue.CheckHookHeader, "X Key", "v", "no name of a header"},
		{catalogue.CheckHookHeader, "", "v", "no name of a header"},
		{catalogue.CheckHookHeader, strings.Repeat("x", 256), "v", "up to 255"},
		{catalogue.CheckHookHeader, "hOST", "v", "cannot be chosen"},
		{catalogue.CheckHookHeader, "Transfer-Encoding", "v", "cannot be chosen"},
		{catalogue.CheckHookHeader, "X-Key", "v\r\nX-Other: v", "the header X-Key: it has control characters"},
		{catalogue.CheckHookHeader, "X-Key", long, "2049 bytes"},
		{catalogue.CheckHookVariable, "_a.b-c1", "any\nthing", ""},
		{catalogue.CheckHookVariable, "1a", "v", "no name of a variable"},
		{catalogue.CheckHookVariable, "a b", "v", "no name of a variable"},
		{catalogue.CheckHookVariable, "a", long, "the variable a: it has 2049 bytes"},
	} {
		err := c.check(c.name, c.value)
		if c.says == "" {
			require.NoError(t, err, c.name)
			continue
		}
		require.ErrorContains(t, err, c.says, c.name)
		require.NotContains(t, err.Error(), "X-Other", "the value is secret")
	}
}

// A template is refused only if nothing can make it JSON.
func TestHookTemplates(t *testing.T) {
	t.Parallel()
	for template, fine := range map[string]bool{
		"":                                      true,
		`{"text":"{{object_kind}} of {{a.b}}"}`: true,
		`{"n":{{n}},"all":{{ project.tags }}}`:  true,
		`{{project}}`:                           true,
		`{"n":1{{n}},"m":-{{m}}}`:               true,
		`{"a":{{flag}}0}`:                       true, // if flag is a number, or an empty text
		`{"a":"{{quoted \" field}}"}`:           true,
		`"{{a}}"`:                               true,
		`null`:                                  true,
		`{"text":"{{object_kind}}",}`:           false,
		`{"text":"{{object_kind}}"`:             false,
		`{"text": hello {{user}}}`:              false,
		`{text:"{{object_kind}}"}`:              false,
		`hello`:                                 false,
		"{\"text\":\"two\nlines\"}":             false,
		`{"a":1} {"b":2}`:                       false,
		`{{a}},{{b}}`:                           false,
	} {
		err := catalogue.CheckHookTemplate(template)
		require.Equal(t, fine, err == nil, "%s: %v", template, err)
	}
}
