package testacc

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// Every kind that lives (TestLifeCycle) is pulled, too: the text is valid, laid out as hew fmt
// does, and says every value that was stated; its plan adopts and changes nothing, and once that is
// applied there is nothing left to do. To pull twice is to write the same twice.

// pulled pulls what was applied in the first round, and holds it to what is declared.
func (l *life) pulled() {
	dir := filepath.Join(l.dir, "pulled")
	subjects, args := tops(l.ground), []string{}
	switch {
	case len(subjects) == 0:
		subjects, args = []string{"instance"}, []string{"-kinds=" + l.kind.Name}
	case l.isElement(): // which are written as a set otherwise
		args = []string{"-kinds=group,project," + l.kind.Name}
	}
	var all string
	for i, subject := range subjects {
		at := filepath.Join(dir, fmt.Sprint(i))
		l.hew(0, append([]string{"pull", subject, "-out=" + at}, args...)...)
		text := contents(l, at)
		l.settles(at, text)
		all += text
	}
	l.tellsAll(all)
}

// isElement tells whether another kind stands for many of this one.
func (l *life) isElement() bool {
	for _, k := range l.known {
		if k.Element == l.kind.Name {
			return true
		}
	}
	return false
}

var (
	topGroup = regexp.MustCompile(`resource "group" "\w+" \{\n  path = "([^"]+)"\n  visibility`)
	variable = regexp.MustCompile(`(?s)variable "(\w+)" \{(.*?)\n\}`)
)

// tops are the groups at the top that something stands on.
func tops(ground string) (subjects []string) {
	for _, found := range topGroup.FindAllStringSubmatch(ground, -1) {
		subjects = append(subjects, "group/"+found[1])
	}
	return subjects
}

// contents are the files of a directory in one text.
func contents(l *life, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.hcl"))
	require.NoError(l, err)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(l, err)
		fmt.Fprintf(&all, "# %s\n%s", filepath.Base(file), text)
	}
	return all.String()
}

// tellsAll insists that a text states what was stated, or says why it does not. That the values are
// right is told by the plan.
func (l *life) tellsAll(text string) {
	blocks := regexp.MustCompile(`(?sm)^resource "`+l.kind.Name+`" .*?^\}`).FindAllString(text, -1)
	require.NotEmpty(l, blocks, text)
	for _, a := range l.stating() {
		if a.Once || a.Local || !l.takes(a) && l.goesWithoutSaying(a) {
			continue
		}
		says := regexp.MustCompile(`(?m)^\s+(# )?` + a.Name + `\s+=`)
		require.True(l, slices.ContainsFunc(blocks, says.MatchString), "%s is not said:\n%s", a.Name, text)
	}
}

// goesWithoutSaying tells whether an attribute is as it would be anyway, or said by another one.
func (l *life) goesWithoutSaying(a attribute) bool {
	return a.Instead != "" || slices.ContainsFunc([]any{a.Default, a.Usual, []any{}}, func(v any) bool {
		text, err := json.Marshal(v)
		require.NoError(l, err)
		return l.value(a, 0) == string(text)
	})
}

// settles insists that a text is accepted, that its plan changes nothing, and that nothing is left
// to do once it is applied.
func (l *life) settles(dir, text string) {
	at := *l
	at.dir = dir
	var vars string
	for _, name := range neededIn(text) {
		vars += fmt.Sprintf("%s = %s\n", name, at.secretOf(name))
	}
	require.NoError(l, os.WriteFile(filepath.Join(dir, "hew.hclvars"), []byte(vars), 0o600))
	at.hew(0, "fmt", "-check")
	at.hew(0, "validate")
	if vars == "" {
		at.quiet()
	}
	at.hew(0, "apply", "-auto-approve")
	at.quiet()
}

// secretOf is the value that a secret has on the host, or one that it may have.
func (l *life) secretOf(variable string) string {
	for _, a := range l.stating() {
		if strings.HasSuffix(variable, "_"+a.Name) {
			return l.value(a, 0)
		}
	}
	return `"https://secret.example.com"`
}
