package code

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"hew/server/db"
	"hew/server/fault"
)

// ChangelogCommit says where the section of a changelog is written.
type ChangelogCommit struct {
	Changelog
	By      Author
	Branch  string // which exists
	File    string // the path
	Message string // of the commit
}

// Commit writes the section into the file, at the place of the version, by the rules for commits.
// It changes nothing if the file has the section already.
func (c ChangelogCommit) Commit(ctx context.Context, st *db.Store) error {
	return st.Tx(ctx, func(st *db.Store) error {
		g, err := Open(ctx, st, c.Project)
		if err != nil {
			return err
		}
		err = g.admitPush(ctx, c.Project, c.By, c.Branch)
		if fault.CodeOf(err) == fault.CodeForbidden {
			return fault.Forbidden("You are not allowed to commit a changelog on this branch")
		}
		if err != nil {
			return err
		}
		notes, err := c.Notes(ctx, st) // before pushes have to wait
		if err != nil {
			return err
		}
		if g, err = open(ctx, st, c.Project); err != nil {
			return err
		}
		if _, err := g.holdRef(ctx, st, Heads+c.Branch); err != nil { // the file stays as it is
			return err
		}
		action := Action{Do: "update", Path: c.File, Encoding: "text"}
		f, err := g.FindFile(ctx, Heads+c.Branch, c.File)
		if fault.CodeOf(err) == fault.CodeNotFound {
			action.Do, err = "create", nil
		}
		if err != nil {
			return err
		}
		text, added := addSection(string(f.Data), c.Version, notes)
		if !added {
			return nil
		}
		action.Content = &text
		_, err = CreateCommit(ctx, st, NewCommit{
			Project: c.Project, By: c.By, Branch: c.Branch, Message: c.Message, Actions: []Action{action},
		})
		return err
	})
}

// sectionHeader matches the first line of a section, with the version in it.
var sectionHeader = regexp.MustCompile(`^##\s+(v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)(?:\s|$)`)

// addSection returns a changelog with the section of a version, before the first one of an older
// version or at the end. It returns false if there is a section of the version.
func addSection(changelog, version, section string) (text string, added bool) {
	lines := slices.Collect(strings.Lines(changelog))
	at, sections := -1, 0
	for i, line := range lines {
		m := sectionHeader.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		sections++
		if strings.TrimPrefix(m[1], "v") == strings.TrimPrefix(version, "v") {
			return changelog, false
		}
		if at < 0 && compareVersions(m[1], version) < 0 {
			at = i
		}
	}
	if at >= 0 {
		return strings.Join(slices.Insert(lines, at, section), ""), true
	}
	if changelog != "" && !strings.HasSuffix(changelog, "\n") {
		changelog += "\n"
	}
	if sections > 0 {
		changelog += "\n"
	}
	return changelog + strings.TrimRight(section, "\n") + "\n", true
}
