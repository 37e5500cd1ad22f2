package api

import "hew/server/ci"

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

// detailedStatusOf returns the state of a pipeline for pages.
func detailedStatusOf(p ci.Pipeline) detailedStatus {
	face := ci.FaceOf(p.Status, p.Warnings)
	return detailedStatus{
		Icon: face.Icon, Text: face.Text, Label: face.Label, Group: face.Group, Tooltip: face.Label,
		HasDetails: true, DetailsPath: "/" + pipelinePath(p),
		Favicon: "/assets/ci_favicons/favicon_status_" + string(p.Status) + ".png",
	}
}
