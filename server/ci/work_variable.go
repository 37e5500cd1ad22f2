package ci

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// JobVariable is a variable as a runner gets it.
type JobVariable struct {
	expression.Variable
	Public bool // it is no secret
	Masked bool // the runner hides its value in the trace
}

// pipelineRef is the full name of the hidden ref of a pipeline.
func pipelineRef(id int64) string { return "refs/pipelines/" + strconv.FormatInt(id, 10) }

// RepositoryURL is the address from which the runner fetches, with the token of the job.
func (t Taken) RepositoryURL(site Site) string {
	scheme, rest, _ := strings.Cut(site.Web(t.Job.Path+".git"), "://")
	return scheme + "://gitlab-ci-token:" + t.Token + "@" + rest
}

// readVariables collects the variables of a job in ascending precedence, and replaces the
// references in them (CI facts §2.4). A circle of references fails the job.
func (w *Work) readVariables(ctx context.Context, st *db.Store, site Site, r Runner) error {
	predefined, err := Predefined(ctx, st, site, w.Pipeline)
	if err != nil {
		return err
	}
	w.add(true, predefined)
	if of := w.Pipeline.UserID; w.Job.User != nil && (of == nil || *of != w.Job.User.ID) {
		u, err := tree.FindUser(ctx, st, w.Job.User.ID)
		if fault.IgnoreNotFound(err) != nil {
			return err
		}
		w.add(true, UserVariables(u))
	}
	d := w.Definition
	w.add(true, (&definition.Job{
		Name: w.Job.Name, Base: d.Base, Stage: w.Job.Stage, Index: d.Index, Total: d.Total,
		When: definition.When(w.Job.Starts), Environment: d.Environment,
	}).Predefined())
	w.addOwn(site, r)
	environment, err := w.readEnvironment(ctx, st)
	if err != nil {
		return err
	}
	w.add(true, d.Variables)
	if err := w.addDotenv(ctx, st); err != nil {
		return err
	}
	stored, err := ReadStoredVariables(ctx, st, w.Project, w.Pipeline.Protected)
	if err != nil {
		return err
	}
	for _, v := range stored.For(environment) {
		w.Variables = append(w.Variables, JobVariable{Variable: v.Variable, Masked: v.Masked})
	}
	given, err := PipelineVariables(ctx, st, w.Pipeline.ID)
	if err != nil {
		return err
	}
	w.add(false, given)
	own, err := jobVariables(ctx, st, []int64{w.Job.ID}, false)
	if err != nil {
		return err
	}
	w.add(false, own)
	resolved, err := w.resolve(expression.ForRunner)
	for n := range resolved {
		w.Variables[n].Variable = resolved[n]
	}
	return err
}

func (w *Work) add(public bool, list []expression.Variable) {
	for _, v := range list {
		w.Variables = append(w.Variables, JobVariable{Variable: v, Public: public})
	}
}

func (w *Work) resolve(use expression.Use) ([]expression.Variable, error) {
	list := make([]expression.Variable, len(w.Variables))
	for n, v := range w.Variables {
		list[n] = v.Variable
	}
	return expression.Resolve(list, use)
}

// Lookup returns the values of the variables as the runner sees them.
func (w *Work) Lookup() expression.Lookup {
	list := make([]expression.Variable, len(w.Variables))
	for n, v := range w.Variables {
		list[n] = v.Variable
	}
	return expression.Values(list)
}

// addOwn adds what is known once the job has an id and a runner (CI facts §3, phase J).
func (w *Work) addOwn(site Site, r Runner) {
	var l variableList
	page := site.Web(w.Job.Path) + "/-/"
	l.addID("CI_PIPELINE_ID", w.Pipeline.ID)
	l.add("CI_PIPELINE_URL", fmt.Sprint(page, "pipelines/", w.Pipeline.ID))
	l.addID("CI_JOB_ID", w.Job.ID)
	l.add("CI_JOB_URL", fmt.Sprint(page, "jobs/", w.Job.ID))
	if w.Job.StartedAt != nil {
		l.add("CI_JOB_STARTED_AT", w.Job.StartedAt.UTC().Format(time.RFC3339))
	}
	l.addID("CI_RUNNER_ID", r.ID)
	l.add("CI_RUNNER_DESCRIPTION", r.Description)
	l.add("CI_RUNNER_TAGS", tagList(r.Tags))
	w.add(true, l)
	w.Variables = append(w.Variables,
		JobVariable{Variable: expression.Variable{Key: "CI_JOB_TOKEN", Value: w.Token}, Masked: true},
		JobVariable{Variable: expression.Variable{Key: "CI_REPOSITORY_URL", Value: w.RepositoryURL(site)}})
}

// tagList writes tags as in `["a", "b"]`.
func tagList(tags []string) string {
	quoted := make([]string, len(tags))
	for n, tag := range tags {
		quoted[n] = strconv.Quote(tag)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// readEnvironment adds what is known of the job's environment, and returns its name.
func (w *Work) readEnvironment(ctx context.Context, st *db.Store) (string, error) {
	d := w.Definition.Environment
	if d == nil {
		return "", nil
	}
	if w.Job.EnvironmentID == nil {
		list, err := w.resolve(expression.ForServer)
		return expression.Expand(d.Name, expression.Values(list)), err
	}
	e, err := db.One[struct {
		Name string `db:"name"`
		Slug string `db:"slug"`
		Tier string `db:"tier"`
	}](ctx, st, "Environment", `select name, slug, tier from environments where id = @id`,
		pgx.NamedArgs{"id": *w.Job.EnvironmentID})
	if err != nil {
		return "", err
	}
	var l variableList
	l.add("CI_ENVIRONMENT_NAME", e.Name)
	l.add("CI_ENVIRONMENT_SLUG", e.Slug)
	l.add("CI_ENVIRONMENT_TIER", e.Tier)
	l.addID("CI_ENVIRONMENT_ID", *w.Job.EnvironmentID)
	if d.URL != "" {
		l = append(l, expression.Variable{Key: "CI_ENVIRONMENT_URL", Value: d.URL})
	}
	w.add(true, l)
	return e.Name, nil
}

// addDotenv adds what the jobs reported that this one depends on.
func (w *Work) addDotenv(ctx context.Context, st *db.Store) error {
	var ids []int64
	for _, d := range w.Dependencies {
		ids = append(ids, d.Job.ID)
	}
	list, err := jobVariables(ctx, st, ids, true)
	w.add(false, list)
	return err
}
