package send

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"hew/server/outbound"
)

// Settings are the values of the parameters of an integration by name, secrets in plain text and
// defaults included.
type Settings map[string]any

// text returns the value of a parameter, or an empty text.
func (s Settings) text(name string) string {
	if v := s[name]; v != nil {
		return strings.TrimSpace(fmt.Sprint(v))
	}
	return ""
}

// is reports whether a parameter is true.
func (s Settings) is(name string) bool { return s[name] == true }

// address returns the address of a parameter without a trailing slash, or a default.
func (s Settings) address(name, otherwise string) string {
	if v := strings.TrimRight(s.text(name), "/"); v != "" {
		return v
	}
	return otherwise
}

// list returns the parts of a parameter that are separated by commas or spaces.
func (s Settings) list(name string) []string {
	return strings.FieldsFunc(s.text(name), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\r' })
}

// insecure reports whether the certificate of the service is not verified.
func (s Settings) insecure() bool { return s["enable_ssl_verification"] == false }

// OnlyChanges is the parameter of integrations that are told only of pipelines that come to
// something else than the one before.
const OnlyChanges = "notify_only_when_pipeline_status_changes"

// selects reports whether the settings that narrow the events of an integration select one.
func (s Settings) selects(e Event) bool {
	if e.Kind == PipelineEvents && s.is("notify_only_broken_pipelines") && e.Object.Status != "failed" {
		return false
	}
	if e.Kind == PipelineEvents && s.is("notify_only_default_branch") && e.Branch != e.Project.DefaultBranch {
		return false
	}
	if e.Kind == PipelineEvents && s.is(OnlyChanges) && e.Unchanged {
		return false
	}
	return s.selectsBranch(e) && s.selectsLabels(e)
}

// selectsBranch obeys branches_to_be_notified and restrict_to_branch. Events that are not on a
// branch are selected.
func (s Settings) selectsBranch(e Event) bool {
	if e.Branch == "" {
		return true
	}
	if only := s.text("restrict_to_branch"); only != "" {
		return slices.ContainsFunc(strings.Split(only, ","), func(b string) bool {
			return strings.TrimSpace(b) == e.Branch
		})
	}
	isDefault := e.Branch == e.Project.DefaultBranch
	switch s.text("branches_to_be_notified") {
	case "default":
		return isDefault
	case "protected":
		return e.Protected
	case "default_and_protected":
		return isDefault || e.Protected
	}
	return true
}

// selectsLabels obeys labels_to_be_notified, for issues, merge requests and comments on them.
func (s Settings) selectsLabels(e Event) bool {
	var wanted []string
	for name := range strings.SplitSeq(s.text("labels_to_be_notified"), ",") {
		if name = strings.TrimPrefix(strings.TrimSpace(name), "~"); name != "" {
			wanted = append(wanted, strings.Trim(name, `"`))
		}
	}
	switch e.Kind {
	case IssuesEvents, ConfidentialIssues, MergeRequests, NoteEvents, ConfidentialNotes:
	default:
		return true
	}
	if len(wanted) == 0 {
		return true
	}
	has := func(name string) bool {
		return slices.ContainsFunc(e.labels(), func(l label) bool { return l.Title == name })
	}
	if s.text("labels_to_be_notified_behavior") == "match_all" {
		return !slices.ContainsFunc(wanted, func(name string) bool { return !has(name) })
	}
	return slices.ContainsFunc(wanted, has)
}

// basic returns the header field of Basic authentication, none without a user.
func basic(user, password string) []outbound.Field {
	if user == "" {
		return nil
	}
	return []outbound.Field{{Name: "Authorization",
		Value: "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))}}
}

// bearer returns the header field of a token.
func bearer(token string) []outbound.Field {
	return []outbound.Field{{Name: "Authorization", Value: "Bearer " + token}}
}
