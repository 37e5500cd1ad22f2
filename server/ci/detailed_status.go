package ci

import (
	"cmp"
	"strings"

	"hew/server/ci/status"
)

// Face is how pages and hooks show the state of a pipeline (gaps §10.2).
type Face struct {
	Icon  string
	Text  string // for a badge: "Passed"
	Label string // in a sentence: "passed"
	Group string // of states that look alike
}

// faces are the states whose faces do not follow from their names.
var faces = map[status.Status]Face{
	status.WaitingForResource: {Icon: "status_pending", Text: "Waiting", Label: "waiting for resource"},
	status.WaitingForCallback: {Icon: "status_pending", Text: "Waiting", Label: "waiting for callback"},
	status.Success:            {Text: "Passed", Label: "passed"},
	status.Manual:             {Text: "Blocked", Label: "waiting for manual action"},
	status.Scheduled:          {Label: "waiting for delayed job"},
}

// withWarnings is the face of a pipeline that passed though jobs failed.
var withWarnings = Face{
	Icon: "status_warning", Text: "Warning", Label: "passed with warnings", Group: "success-with-warnings",
}

// FaceOf returns how a pipeline is shown. Warnings says that a job failed that may.
func FaceOf(s status.Status, warnings bool) Face {
	if s == status.Success && warnings {
		return withWarnings
	}
	f, name := faces[s], string(s)
	return Face{
		Icon:  cmp.Or(f.Icon, "status_"+name),
		Text:  cmp.Or(f.Text, strings.ToUpper(name[:min(1, len(name))])+name[min(1, len(name)):]),
		Label: cmp.Or(f.Label, name),
		Group: cmp.Or(f.Group, strings.ReplaceAll(name, "_", "-")),
	}
}
