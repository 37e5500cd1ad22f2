package api

import (
	"strings"

	"hew/server/ci"
	"hew/server/ci/status"
)

// detailedStatus is the state of a pipeline as pages show it (gaps §10.2).
type detailedStatus struct {
	Icon         string  `json:"icon"`
	Text         string  `json:"text"`
	Label        string  `json:"label"`
	Group        string  `json:"group"`
	Tooltip      string  `json:"tooltip"`
	HasDetails   bool    `json:"has_details"`
	DetailsPath  string  `json:"details_path"`
	Illustration *string `json:"illustration"`
	Favicon      string  `json:"favicon"`
}

// faces are the states as pages show them. What is empty follows from the name of the state.
var faces = map[status.Status]detailedStatus{
	status.Created:            {},
	status.WaitingForResource: {Icon: "status_pending", Text: "Waiting", Label: "waiting for resource"},
	status.Preparing:          {},
	status.WaitingForCallback: {Icon: "status_pending", Text: "Waiting", Label: "waiting for callback"},
	status.Pending:            {},
	status.Running:            {},
	status.Canceling:          {},
	status.Success:            {Text: "Passed", Label: "passed"},
	status.Failed:             {},
	status.Canceled:           {},
	status.Skipped:            {},
	status.Manual:             {Text: "Blocked", Label: "waiting for manual action"},
	status.Scheduled:          {Label: "waiting for delayed job"},
}

// withWarnings is the face of a pipeline that passed though jobs failed.
var withWarnings = detailedStatus{
	Icon: "status_warning", Text: "Warning", Label: "passed with warnings", Group: "success-with-warnings",
}

// detailedStatusOf returns the state of a pipeline for pages.
func detailedStatusOf(p ci.Pipeline) detailedStatus {
	name := string(p.Status)
	face := faces[p.Status]
	if p.Status == status.Success && p.Warnings {
		face = withWarnings
	}
	for at, standard := range map[*string]string{
		&face.Icon: "status_" + name, &face.Text: capitalized(name), &face.Label: name,
		&face.Group: strings.ReplaceAll(name, "_", "-"),
	} {
		if *at == "" {
			*at = standard
		}
	}
	face.Tooltip = face.Label
	face.HasDetails = true
	face.DetailsPath = "/" + pipelinePath(p)
	face.Favicon = "/assets/ci_favicons/favicon_status_" + name + ".png"
	return face
}

// capitalized returns a word with a capital letter at its beginning.
func capitalized(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
