package code

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/protect"
	"hew/server/tree"
)

// commitRules are the push rules of a project about commits and their files. The texts of refusals
// are those of the public service.
type commitRules struct {
	g        *Git
	by       Author
	again    bool // others have written the commits
	rule     protect.PushRule
	message  pattern
	denied   pattern
	branch   pattern
	email    pattern
	fileName pattern
	known    map[string]bool // addresses of users, in lower case; of those who were asked for last

	locked map[string]string // the paths that others have locked in Git LFS, and their names
}

// pattern is a regular expression of a rule. The zero value allows everything.
type pattern struct {
	*regexp.Regexp
	text string
}

func (p pattern) allows(text string) bool { return p.Regexp == nil || p.MatchString(text) }
func (p pattern) denies(text string) bool { return p.Regexp != nil && p.MatchString(text) }

// readCommitRules reads the push rule of a project, and what it needs to know about the commits.
func (g *Git) readCommitRules(ctx context.Context, c change) (*commitRules, error) {
	id := c.Project.ID
	rule, err := protect.PushRules(g.st, db.Container{ProjectID: &id}).One(ctx, db.AnyRow)
	if err = fault.IgnoreNotFound(err); err != nil {
		return nil, err
	}
	r := &commitRules{g: g, by: c.By, again: c.Again, rule: rule}
	for _, p := range []struct {
		into *pattern
		text string
	}{
		{&r.message, rule.CommitMessageRegex},
		{&r.denied, rule.CommitMessageNegativeRegex},
		{&r.branch, rule.BranchNameRegex},
		{&r.email, rule.AuthorEmailRegex},
		{&r.fileName, rule.FileNameRegex},
	} {
		if p.text == "" {
			continue
		}
		compiled, err := regexp.Compile(p.text)
		if err != nil {
			return nil, fmt.Errorf("push rule %d: %w", rule.ID, err) // it was checked when it was stored
		}
		*p.into = pattern{compiled, p.text}
	}
	if c.Project.Settings.LFSEnabled && len(c.Commits) > 0 {
		r.locked, err = lockedByOthers(ctx, g.st, id, c.By.ID)
	}
	return r, err
}

// findMembers finds out which of the authors and committers are users.
func (r *commitRules) findMembers(ctx context.Context, commits []newCommit) error {
	asked := map[string]bool{}
	for _, c := range commits {
		asked[strings.ToLower(c.AuthorEmail)] = true
		asked[strings.ToLower(c.CommitterEmail)] = true
	}
	found, err := db.Values[string](ctx, r.g.st, `
		select lower(u.email) from users u where lower(u.email) = any(@emails)`,
		pgx.NamedArgs{"emails": slices.Collect(maps.Keys(asked))})
	r.known = map[string]bool{}
	for _, email := range found {
		r.known[email] = true
	}
	return err
}

// check returns Refused if one of the commits, or one of their files, is not allowed.
func (r *commitRules) check(ctx context.Context, commits []newCommit) error {
	if r.rule.MemberCheck {
		if err := r.findMembers(ctx, commits); err != nil {
			return err
		}
	}
	for i := range commits {
		text := r.refuseCommit(&commits[i])
		if text == "" {
			var err error
			if text, err = r.refuseFiles(ctx, &commits[i]); err != nil {
				return err
			}
		}
		if text != "" {
			return Refused{Text: text}
		}
	}
	return nil
}

func (r *commitRules) refuseCommit(c *newCommit) string {
	rule := &r.rule
	switch {
	case !r.message.allows(c.Message):
		return fmt.Sprintf("Commit message does not follow the pattern '%s'", r.message.text)
	case r.denied.denies(c.Message):
		return fmt.Sprintf("Commit message contains the forbidden pattern '%s'", r.denied.text)
	case !r.email.allows(c.CommitterEmail):
		return fmt.Sprintf("Committer's email '%s' does not follow the pattern '%s'", c.CommitterEmail, r.email.text)
	case !r.email.allows(c.AuthorEmail):
		return fmt.Sprintf("Author's email '%s' does not follow the pattern '%s'", c.AuthorEmail, r.email.text)
	case rule.CommitCommitterCheck && !isEmailOf(r.by.User, c.CommitterEmail):
		return fmt.Sprintf("You cannot push commits for '%s'. You can only push commits if the committer email "+
			"is one of your own verified emails.", c.CommitterEmail)
	case rule.CommitCommitterNameCheck && !r.again && c.AuthorName != r.by.User.Name:
		return "Your git username is inconsistent with GitLab account name"
	case rule.RejectUnsignedCommits && !c.Signed && !r.by.Web:
		return "Commit must be signed with a GPG key"
	case rule.RejectNonDCOCommits && !signedOff.MatchString(c.Message):
		return "Commit message must contain a DCO signoff"
	case rule.MemberCheck && !r.known[strings.ToLower(c.AuthorEmail)]:
		return fmt.Sprintf("Author '%s' is not a member of team", c.AuthorEmail)
	case rule.MemberCheck && !r.known[strings.ToLower(c.CommitterEmail)]:
		return fmt.Sprintf("Committer '%s' is not a member of team", c.CommitterEmail)
	}
	return ""
}

// signedOff matches the line with which an author certifies the origin of a commit.
var signedOff = regexp.MustCompile(`Signed-off-by:.+<.+@.+>`)

func isEmailOf(u tree.User, email string) bool {
	return u.ID != 0 && (strings.EqualFold(u.Email, email) ||
		u.CommitEmail != nil && strings.EqualFold(*u.CommitEmail, email))
}

// refuseFiles returns what is wrong with the files that a commit changes.
func (r *commitRules) refuseFiles(ctx context.Context, c *newCommit) (string, error) {
	if r.rule.FileNameRegex == "" && !r.rule.PreventSecrets && r.rule.MaxFileSize == 0 && len(r.locked) == 0 {
		return "", nil
	}
	isOwn := c.own()
	for d, err := range r.g.ChangedFiles(ctx, c.Commit) {
		switch {
		case err != nil:
			return "", err
		case !isOwn(d.Path):
			continue
		case r.locked[d.Path] != "":
			return fmt.Sprintf("The path '%s' is locked in Git LFS by %s", d.Path, r.locked[d.Path]), nil
		case d.New.Mode == 0:
			continue
		}
		if d.Old.Mode == 0 {
			if p := r.prohibits(d.Path); p != "" {
				return fmt.Sprintf("File name %s was prohibited by the pattern %q.", d.Path, p), nil
			}
		}
		if r.rule.MaxFileSize == 0 || d.New.Mode == object.ModeSubmodule {
			continue
		}
		size, err := r.g.Size(ctx, d.New.ID)
		if err != nil {
			return "", err
		}
		if size > int64(r.rule.MaxFileSize)<<20 {
			return fmt.Sprintf("File %q is larger than the allowed size of %d MB. Use Git LFS to manage this file.",
				d.Path, r.rule.MaxFileSize), nil
		}
	}
	return "", nil
}

// prohibits returns the pattern that forbids a file of that name, "" if none does.
func (r *commitRules) prohibits(path string) string {
	if r.fileName.denies(path) {
		return r.fileName.text
	}
	if r.rule.PreventSecrets {
		for _, p := range secretFiles {
			if p.MatchString(path) {
				return p.String()
			}
		}
	}
	return ""
}

// secretFiles match the names of files that hold credentials as a rule.
var secretFiles = []*regexp.Regexp{
	regexp.MustCompile(`aws/credentials$`),
	regexp.MustCompile(`(ssh|config)/(personal|server)_(rsa|dsa|ed25519|ecdsa|ecdsa_sk|ed25519_sk)$`),
	regexp.MustCompile(`id_(rsa|dsa|ed25519|ecdsa|ecdsa_sk|ed25519_sk)$`),
	regexp.MustCompile(`(?i)\.(pem|key)$`),
	regexp.MustCompile(`[._]history$`),
}
