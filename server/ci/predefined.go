package ci

import (
	"context"
	"strconv"
	"strings"
	"time"

	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/setting"
	"hew/server/tree"
)

// subject is what predefined variables are about: a pipeline, which may not be stored yet, with
// what belongs to it.
type subject struct {
	Pipeline
	Project tree.Project
	User    tree.User      // zero: gone
	Request *merge.Request // of a pipeline of a merge request
	Git     *code.Git
	Commit  code.Commit
	Path    string // of the definition
}

// Predefined returns the variables that a stored pipeline gives all of its jobs: those of the
// phases pre-pipeline and pipeline (ci §3). Those of a job follow: see definition.Job.Predefined.
func Predefined(ctx context.Context, st *db.Store, site Site, p Pipeline) ([]expression.Variable, error) {
	s := subject{Pipeline: p}
	var err error
	if s.Project, err = tree.FindProject(ctx, st, p.ProjectID); err != nil {
		return nil, err
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return nil, err
	}
	s.Path = configPath(s.Project, settings)
	if p.UserID != nil {
		if s.User, err = tree.FindUser(ctx, st, *p.UserID); fault.IgnoreNotFound(err) != nil {
			return nil, err
		}
	}
	if p.MergeRequestID != nil {
		byID, err := merge.RequestsByID(ctx, st, []int64{*p.MergeRequestID})
		if err != nil {
			return nil, err
		}
		if r, ok := byID[*p.MergeRequestID]; ok {
			s.Request = &r
		}
	}
	if s.Git, err = code.Open(ctx, st, s.Project); err != nil {
		return nil, err
	}
	if s.Commit, err = s.Git.FindCommit(ctx, "Commit", p.Commit); fault.IgnoreNotFound(err) != nil {
		return nil, err
	}
	return s.variables(ctx, st, site)
}

// variableList collects predefined variables.
type variableList []expression.Variable

// add adds a variable. Nothing in its value is a reference to another one.
func (l *variableList) add(key, value string) {
	raw := strings.ContainsAny(value, "$%")
	*l = append(*l, expression.Variable{Key: key, Value: value, Raw: raw})
}

// addIf adds a variable unless the value is empty.
func (l *variableList) addIf(key, value string) {
	if value != "" {
		l.add(key, value)
	}
}

func (l *variableList) addID(key string, id int64) { l.add(key, strconv.FormatInt(id, 10)) }

// addTrue adds a variable that exists only where something is so.
func (l *variableList) addTrue(key string, holds bool) {
	if holds {
		l.add(key, "true")
	}
}

// variables returns the variables of a pipeline.
func (s subject) variables(ctx context.Context, st *db.Store, site Site) ([]expression.Variable, error) {
	var l variableList
	site.variables(&l)
	projectVariables(&l, site, s.Project)
	s.definitionVariables(&l, site)
	if err := s.commitVariables(ctx, st, &l); err != nil {
		return nil, err
	}
	if err := s.contextVariables(ctx, st, &l); err != nil {
		return nil, err
	}
	if s.Request != nil {
		if err := s.requestVariables(ctx, st, &l, site); err != nil {
			return nil, err
		}
	}
	return append(l, UserVariables(s.User)...), nil
}

// UserVariables returns the variables of the user who started a pipeline or a job. It returns nil
// for the zero user.
func UserVariables(u tree.User) []expression.Variable {
	if u.ID == 0 {
		return nil
	}
	var l variableList
	l.addID("GITLAB_USER_ID", u.ID)
	l.add("GITLAB_USER_EMAIL", u.Email)
	l.add("GITLAB_USER_LOGIN", u.Username)
	l.add("GITLAB_USER_NAME", u.Name)
	return l
}

// maxMessage is how many bytes of a commit's message jobs get.
const maxMessage = 100_000

// commitVariables adds what is known of the commit and the ref.
func (s subject) commitVariables(ctx context.Context, st *db.Store, l *variableList) error {
	name, before := s.refName(), s.Before
	if s.Request != nil || s.Source == BySchedule {
		before = object.ID{}
	}
	l.add("CI_COMMIT_SHA", s.Pipeline.Commit.String())
	l.add("CI_COMMIT_SHORT_SHA", s.Pipeline.Commit.String()[:8])
	l.add("CI_COMMIT_BEFORE_SHA", before.String())
	l.add("CI_COMMIT_REF_NAME", name)
	l.add("CI_COMMIT_REF_SLUG", definition.Slug(name))
	l.add("CI_COMMIT_REF_PROTECTED", strconv.FormatBool(s.Protected))
	switch {
	case s.Tag:
		l.add("CI_COMMIT_TAG", name)
		if err := s.tagVariables(ctx, st, l); err != nil {
			return err
		}
	case s.Request == nil:
		l.add("CI_COMMIT_BRANCH", name)
	}
	if s.Commit.ID.IsZero() {
		return nil
	}
	message := s.Commit.Message
	l.addTrue("CI_COMMIT_MESSAGE_IS_TRUNCATED", len(message) > maxMessage)
	l.add("CI_COMMIT_MESSAGE", cut(message, maxMessage))
	title, rest := s.Commit.Title(), ""
	if _, after, ok := strings.Cut(message, "\n"); ok {
		rest = strings.TrimSpace(after)
	}
	l.add("CI_COMMIT_TITLE", title)
	l.add("CI_COMMIT_DESCRIPTION", cut(rest, maxMessage))
	l.add("CI_COMMIT_TIMESTAMP", s.Commit.Committed().Format(time.RFC3339))
	l.add("CI_COMMIT_AUTHOR", s.Commit.AuthorName+" <"+s.Commit.AuthorEmail+">")
	return nil
}

// refName returns the branch or tag that the pipeline is for: of a merge request the source branch.
func (s subject) refName() string {
	if s.Request != nil {
		return s.Request.SourceBranch
	}
	return s.Ref
}

// tagVariables adds the message of an annotated tag.
func (s subject) tagVariables(ctx context.Context, st *db.Store, l *variableList) error {
	ref, err := s.Git.FindRef(ctx, st, "Tag", code.Tags+s.Ref)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	tag, err := s.Git.Annotation(ctx, ref)
	if err == nil && tag != nil {
		l.add("CI_COMMIT_TAG_MESSAGE", cut(strings.TrimSuffix(tag.Message, "\n"), maxMessage))
	}
	return err
}

// cut returns the beginning of a text, up to a number of bytes.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
