package testacc

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// pulled pulls subjects, each into a directory of its own, and insists that a plan of what is
// written finds nothing to do, but to say again what hew cannot read and hosts insist on.
func (s *story) pulled(ts *testscript.TestScript, subjects []string) {
	for _, subject := range subjects {
		dir := ts.MkAbs(filepath.Join("..", "pulled-"+strings.ReplaceAll(subject, "/", "-")))
		s.ends(ts, 0, []string{"pull", subject, "-out=" + dir})
		s.ends(ts, 0, []string{"fmt", "-check", dir})
		s.ends(ts, 0, []string{"-chdir=" + dir, "validate"})
		secrets, err := os.ReadFile(filepath.Join(dir, "variables.hcl"))
		if !errors.Is(err, os.ErrNotExist) {
			ts.Check(err)
		}
		needed := neededIn(string(secrets))
		var values strings.Builder
		for _, name := range needed {
			fmt.Fprintf(&values, "%s = \"https://secret.example.com\"\n", name)
		}
		ts.Check(os.WriteFile(filepath.Join(dir, "hew.hclvars"), []byte(values.String()), 0o600))
		s.ends(ts, 0, []string{"plan", "-json", "-chdir=" + dir})
		var plan struct {
			Blocked []any
			Changes []struct {
				Address, Action string
				Paths           []struct{ Path string }
			}
		}
		ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &plan))
		for _, c := range plan.Changes {
			for _, p := range c.Paths {
				_, name, _ := strings.Cut(c.Address, ".")
				if !slices.ContainsFunc(needed, func(n string) bool { return strings.HasPrefix(n, name+"_") }) {
					ts.Fatalf("%s: %s of %s differs, as the host does not have it", subject, p.Path, c.Address)
				}
			}
			if len(plan.Blocked) > 0 || !slices.Contains([]string{"adopt", "update", "no-op"}, c.Action) {
				ts.Fatalf("%s: %s of %s, with %d blocked", subject, c.Action, c.Address, len(plan.Blocked))
			}
		}
	}
}

// neededIn are the variables without a default.
func neededIn(text string) (names []string) {
	for _, v := range variable.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(v[2], "default ") {
			names = append(names, v[1])
		}
	}
	return names
}
