package send

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"hew/server/outbound"
)

// jiraAction tells issues of Jira of the commits and merge requests that name them.
var jiraAction = Action{
	Sends, map[string]string{PushEvents: "commit_events", MergeRequests: "merge_requests_events"}, jira,
}

// issueKey is how issues of Jira are named, if the settings say nothing else.
const issueKey = `[A-Z][A-Z0-9_]+-\d+`

// closing matches the words before an issue that a commit on the default branch closes.
var closing = regexp.MustCompile(
	`(?i)\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)(?::?\s+|\s*$)` +
		`(?:issues?\s+)?((?:,?\s*(?:and\s+)?` + issueKey + `)+)`,
)

// mention is what names an issue.
type mention struct {
	what, title, url string // a commit, a merge request
	closes           bool
}

func jira(ctx context.Context, e Event, s Settings, call Call) error {
	pattern, err := jiraPattern(s)
	if err != nil {
		return err
	}
	var failed []error
	tell := func(m mention, text string) {
		var closes []string
		if m.closes {
			for _, found := range closing.FindAllString(text, maxTasks) {
				closes = append(closes, pattern.FindAllString(found, maxTasks)...)
			}
		}
		keys := slices.Compact(slices.Sorted(slices.Values(pattern.FindAllString(text, maxTasks))))
		for _, key := range keys {
			m.closes = slices.Contains(closes, key)
			failed = append(failed, jiraIssue(ctx, e, s, call, key, m))
		}
	}
	if e.Kind == MergeRequests {
		o := e.Object
		if o.Action == "open" || o.Action == "merge" {
			tell(mention{"merge request", o.Title, o.URL, o.Action == "merge"}, o.Title+"\n"+o.Description)
		}
		return errors.Join(failed...)
	}
	for _, c := range e.Commits {
		tell(mention{"commit", c.Title, c.URL, e.Branch == e.Project.DefaultBranch}, c.Message)
	}
	return errors.Join(failed...)
}

func jiraPattern(s Settings) (*regexp.Regexp, error) {
	form := cmp.Or(s.text("jira_issue_regex"), issueKey)
	pattern, err := regexp.Compile(`\b` + regexp.QuoteMeta(s.text("jira_issue_prefix")) + `(?:` + form + `)\b`)
	if err != nil {
		return nil, errors.New("jira_issue_regex is not a regular expression")
	}
	return pattern, nil
}

// jiraIssue comments on an issue, links it, and closes it where it is closed.
func jiraIssue(ctx context.Context, e Event, s Settings, call Call, name string, m mention) error {
	key := strings.TrimPrefix(name, s.text("jira_issue_prefix"))
	issue := s.address("api_url", s.address("url", "")) + "/rest/api/2/issue/" + url.PathEscape(key)
	auth := basic(s.text("username"), s.text("password"))
	if s.text("jira_auth_type") == "1" {
		auth = bearer(s.text("password"))
	}
	if m.closes {
		if err := jiraClose(ctx, s, call, issue, auth); err != nil {
			return err
		}
	}
	if s["comment_on_event_enabled"] != false {
		body := fmt.Sprintf("[%s|%s] mentioned this issue in [a %s|%s] of [%s|%s]:\n{quote}%s{quote}",
			jiraText(e.person().Name), e.Base+"/"+e.person().Username, m.what, m.url, jiraText(e.Project.Path),
			e.Project.WebURL, jiraText(m.title))
		if m.closes {
			body = fmt.Sprintf("Issue solved with [a %s|%s] of [%s|%s].", m.what, m.url, jiraText(e.Project.Path),
				e.Project.WebURL)
		}
		if _, err := call(ctx, post(issue+"/comment", object{"body": body}, auth...)); err != nil {
			return err
		}
	}
	return once(ctx, call, post(issue+"/remotelink", object{
		"globalId": m.url, "relationship": "mentioned on",
		"object": object{
			"url": m.url, "title": strings.ToUpper(m.what[:1]) + m.what[1:] + " - " + m.title,
			"status": object{"resolved": m.closes},
		},
	}, auth...))
}

// jiraClose takes an issue through the transitions of the settings, or through the next one that
// leads to a closed status.
func jiraClose(ctx context.Context, s Settings, call Call, issue string, auth []outbound.Field) error {
	steps := s.list("jira_issue_transition_id")
	if s.is("jira_issue_transition_automatic") {
		look := raw(issue+"/transitions", "application/json", nil, auth...)
		look.Method, look.Reads, look.MaxAnswer = "GET", true, maxAnswer
		answer, err := call(ctx, look)
		if err != nil {
			return err
		}
		steps = closingTransition(answer.Body)
	}
	for _, step := range steps {
		order := post(issue+"/transitions", object{"transition": object{"id": step}}, auth...)
		if _, err := call(ctx, order); err != nil {
			return err
		}
	}
	return nil
}

// closingTransition returns the first transition to a closed status, if there is one.
func closingTransition(body []byte) []string {
	var known struct {
		Transitions []struct {
			ID string
			To struct{ StatusCategory struct{ Key string } }
		}
	}
	_ = json.Unmarshal(body, &known) // without transitions the issue stays open
	for _, t := range known.Transitions {
		if t.To.StatusCategory.Key == "done" {
			return []string{t.ID}
		}
	}
	return nil
}

// jiraText removes what begins markup or a mention in the format of Jira.
func jiraText(s string) string {
	return strings.NewReplacer("{", "(", "}", ")", "[", "(", "]", ")", "|", "/").Replace(s)
}
