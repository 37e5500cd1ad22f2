package post

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hew/provider/client"
	"hew/reconcile/report"
)

// Comment is a note about a plan on a merge request.
type Comment struct {
	On   string // PROJECT!IID, or OfPipeline; "" for no note
	Name string // identifies the note among those of other configurations
}

// OfPipeline stands for the merge request of the CI job.
const OfPipeline = "the pipeline's"

// commentToken is the variable with the token for notes. HEW_TOKEN is used if it is not set and the
// merge request is on the host that hew manages.
const commentToken = "HEW_COMMENT_TOKEN"

// forgeURL is the variable with the API of the host that merge requests are on. CI jobs have it.
const forgeURL = "CI_API_V4_URL"

// Asked reports whether a note was asked for.
func (c Comment) Asked() bool { return c.On != "" }

// Check returns an error if the merge request of the note cannot be determined.
func (c Comment) Check(e Env) error {
	_, _, err := c.target(e)
	return err
}

// target returns the merge request and its host. Only the environment names the host, because a
// token is sent there and the merge request may change the configuration.
func (c Comment) target(e Env) (host string, t thread, err error) {
	switch {
	case !c.Asked() && c.Name != "":
		return "", t, errors.New("-comment-key requires -comment. Add -comment, or remove -comment-key")
	case !c.Asked():
		return "", t, nil
	}
	host = e.Vars[forgeURL]
	on, from := c.On, "-comment="+c.On
	if c.On == OfPipeline {
		if on, err = e.mergeRequest(); err != nil {
			return "", t, err
		}
		from = on
		if host == "" {
			return "", t, errors.New("-comment: CI_API_V4_URL is not set, which names the host of the merge " +
				"request in CI jobs. Outside of a CI job, name the merge request: -comment=acme/infra!12")
		}
	}
	if host = cmp.Or(host, client.FromEnv(e.lookup).BaseURL); host == "" {
		return "", t, fmt.Errorf("%s: the host of the merge request is not known. Set HEW_URL to its address. "+
			"hew does not take it from the configuration, because a merge request that changes the configuration "+
			"would get the token", from)
	}
	at := strings.LastIndex(on, "!")
	if at > 0 {
		t.project = on[:at]
		t.request, err = strconv.ParseInt(on[at+1:], 10, 64)
	}
	if at < 1 || err != nil || t.request < 1 {
		return "", t, fmt.Errorf("%s is not a merge request. Write its project and number: -comment=acme/infra!12",
			from)
	}
	return host, t, nil
}

// mergeRequest returns the merge request of the CI job: that of its pipeline, or the only open one
// of its branch.
func (e Env) mergeRequest() (string, error) {
	if iid := e.Vars["CI_MERGE_REQUEST_IID"]; iid != "" {
		project := cmp.Or(e.Vars["CI_MERGE_REQUEST_PROJECT_ID"], e.Vars["CI_PROJECT_ID"])
		if project == "" {
			return "", errors.New("-comment: CI_MERGE_REQUEST_IID is set, but its project is not. Set " +
				"CI_MERGE_REQUEST_PROJECT_ID or CI_PROJECT_ID")
		}
		return project + "!" + iid, nil
	}
	open := strings.FieldsFunc(e.Vars["CI_OPEN_MERGE_REQUESTS"], func(r rune) bool { return r == ',' || r == ' ' })
	switch {
	case len(open) == 1:
		return open[0], nil
	case len(open) > 1:
		return "", fmt.Errorf("-comment: the branch has several open merge requests (%s). Name one of them, such "+
			"as -comment=%s", strings.Join(open, ", "), open[0])
	}
	why := ""
	if source := e.Vars["CI_PIPELINE_SOURCE"]; source != "" {
		why = fmt.Sprintf(" and CI_PIPELINE_SOURCE is %s", source)
	}
	return "", fmt.Errorf("-comment: the pipeline has no merge request: CI_MERGE_REQUEST_IID is not set%s, and "+
		"CI_OPEN_MERGE_REQUESTS is empty. "+
		`Run the job with a rule such as if: $CI_PIPELINE_SOURCE == "merge_request_event", or name the merge request: -comment=acme/infra!12`,
		why)
}

// Write creates or updates the note with the documents of a run.
func (c Comment) Write(ctx context.Context, e Env, parts []report.Part) error {
	host, t, err := c.target(e)
	if err != nil {
		return err
	}
	named, err := client.New(client.Config{BaseURL: host})
	if err != nil {
		return err
	}
	managed := managedHost(parts)
	if e.Vars[forgeURL] == "" && managed != "" && managed != named.URL() {
		return fmt.Errorf("the configuration names the host %s, but %s names %s, so the host of the merge request %s "+
			"is ambiguous. Set %s to the host of the merge request", managed, client.FromEnv(e.lookup).URLFrom,
			named.URL(), t.name(), forgeURL)
	}
	if t.poster, err = e.poster(t.posting(), host, named.URL() == managed); err != nil {
		return err
	}
	title, key := c.key(e, parts)
	mark := signature{command: parts[0].Command, key: key, run: e.pipeline()}
	newer, err := t.writeNote(ctx, mark, e.noteText(title, mark, parts))
	if newer > 0 && err == nil {
		e.Console.Paragraph(0, fmt.Sprintf("The note on %s was not changed, because pipeline %d has written it, "+
			"which is newer than this one, %d.", t.name(), newer, mark.run))
	}
	return err
}

// pipeline returns the id of this job's pipeline, or 0. Later pipelines of a host have higher ids.
func (e Env) pipeline() int64 {
	n, _ := strconv.ParseInt(e.Vars["CI_PIPELINE_ID"], 10, 64)
	return max(n, 0)
}

// managedHost returns the host of all plans, or "" if it is not known or they have several.
func managedHost(parts []report.Part) string {
	host := parts[0].Host
	for _, p := range parts {
		if p.Host != host {
			return ""
		}
	}
	return host
}
