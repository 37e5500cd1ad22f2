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

// Comment is the note that tells a merge request of a plan.
type Comment struct {
	On   string // PROJECT!IID, or ofPipeline
	Name string // that tells the note from those of other configurations
}

// OfPipeline stands for the merge request that a CI job is about.
const OfPipeline = "the pipeline's"

// commentToken is the token that notes are written with. The host that hew manages
// and the one that the merge request is on may be two; that of HEW_TOKEN serves
// where they are one.
const commentToken = "HEW_COMMENT_TOKEN"

// forgeURL names the host that merge requests are on, where that is another than
// the one that hew manages. CI jobs have it.
const forgeURL = "CI_API_V4_URL"

// Asked reports whether a note was asked for.
func (c Comment) Asked() bool { return c.On != "" }

// Check refuses a note that has no merge request, or none to be found.
func (c Comment) Check(e Env) error {
	_, _, err := c.target(e)
	return err
}

// target is the merge request and the host that it is on. That is named by the
// environment alone, because a token goes there: the configuration is what the
// merge request may change. It fails where there is none, before anything is
// planned.
func (c Comment) target(e Env) (host string, t thread, err error) {
	switch {
	case !c.Asked() && c.Name != "":
		return "", t, errors.New("-comment-key names the note of -comment, and none is asked for. Add -comment, or leave it out")
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
			return "", t, errors.New("-comment: CI_API_V4_URL is not set, which says where the merge request is. CI jobs have it; elsewhere name the merge request: -comment=acme/infra!12")
		}
	}
	if host = cmp.Or(host, client.FromEnv(e.lookup).BaseURL); host == "" {
		return "", t, fmt.Errorf("%s: nothing says which host it is on. Set HEW_URL to the address of that host. "+
			"What the configuration says does not count, because whoever proposes a change to it would get the token", from)
	}
	at := strings.LastIndex(on, "!")
	if at > 0 {
		t.project = on[:at]
		t.request, err = strconv.ParseInt(on[at+1:], 10, 64)
	}
	if at < 1 || err != nil || t.request < 1 {
		return "", t, fmt.Errorf("%s does not name a merge request. It takes its project and its number, such as -comment=acme/infra!12", from)
	}
	return host, t, nil
}

// mergeRequest is the one that the CI job is about: that of its pipeline, or the
// only open one of its branch.
func (e Env) mergeRequest() (string, error) {
	if iid := e.Vars["CI_MERGE_REQUEST_IID"]; iid != "" {
		project := cmp.Or(e.Vars["CI_MERGE_REQUEST_PROJECT_ID"], e.Vars["CI_PROJECT_ID"])
		if project == "" {
			return "", errors.New("-comment: CI_MERGE_REQUEST_IID is set, and neither CI_MERGE_REQUEST_PROJECT_ID nor CI_PROJECT_ID, which say of which project")
		}
		return project + "!" + iid, nil
	}
	open := strings.FieldsFunc(e.Vars["CI_OPEN_MERGE_REQUESTS"], func(r rune) bool { return r == ',' || r == ' ' })
	switch {
	case len(open) == 1:
		return open[0], nil
	case len(open) > 1:
		return "", fmt.Errorf("-comment: the branch has several open merge requests (%s). Say which is meant, such as -comment=%s", strings.Join(open, ", "), open[0])
	}
	why := ""
	if source := e.Vars["CI_PIPELINE_SOURCE"]; source != "" {
		why = fmt.Sprintf(" and CI_PIPELINE_SOURCE is %s", source)
	}
	return "", fmt.Errorf("-comment: this is no pipeline of a merge request: CI_MERGE_REQUEST_IID is not set%s, and CI_OPEN_MERGE_REQUESTS names none. "+
		`Run the job by a rule such as if: $CI_PIPELINE_SOURCE == "merge_request_event", or name the merge request: -comment=acme/infra!12`, why)
}

// Write has the merge request say what a run has come to.
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
		return fmt.Errorf("the configuration is for %s, and %s names %s: nobody can tell which of them %s is on, and no token goes to a host that the configuration alone names. "+
			"Set %s to the address of the one that has it", managed, client.FromEnv(e.lookup).URLFrom, named.URL(), t.name(), forgeURL)
	}
	if t.poster, err = e.poster(t.posting(), host, named.URL() == managed); err != nil {
		return err
	}
	title, key := c.key(e, parts)
	mark := signature{command: parts[0].Command, key: key, run: e.pipeline()}
	newer, err := t.keep(ctx, mark, e.noteText(title, mark, parts))
	if newer > 0 && err == nil {
		e.Console.Paragraph(0, fmt.Sprintf("The note on %s stays as it is: it is of pipeline %d, which is newer than this one, %d.", t.name(), newer, mark.run))
	}
	return err
}

// pipeline is the number of the pipeline that this is a job of, 0 where there is
// none. A host counts all of its pipelines, so that a later one has a higher.
func (e Env) pipeline() int64 {
	n, _ := strconv.ParseInt(e.Vars["CI_PIPELINE_ID"], 10, 64)
	return max(n, 0)
}

// managedHost is the host that all plans are for, "" where that is not known.
func managedHost(parts []report.Part) string {
	host := parts[0].Host
	for _, p := range parts {
		if p.Host != host {
			return ""
		}
	}
	return host
}
