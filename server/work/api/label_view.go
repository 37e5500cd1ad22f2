package api

import (
	"html"
	"strconv"
	"strings"

	"hew/server/work"
)

// labelView is a label as answers show it.
type labelView struct {
	work.Label
	TextColor       string  `json:"text_color"`
	DescriptionHTML *string `json:"description_html"`
	*labelCounts
	IsProjectLabel bool `json:"is_project_label"`
}

// labelCounts counts the things that have a label and that the caller sees. There are no merge
// requests.
type labelCounts struct {
	OpenIssues        int `json:"open_issues_count"`
	ClosedIssues      int `json:"closed_issues_count"`
	OpenMergeRequests int `json:"open_merge_requests_count"`
}

func labelViewOf(l work.Label) labelView {
	v := labelView{Label: l, TextColor: textColor(l.Color), IsProjectLabel: l.ProjectID != nil}
	if l.Description != nil {
		v.DescriptionHTML = new(html.EscapeString(*l.Description)) // it is plain text
	}
	return v
}

// textColor returns a text color that is readable on a background: dark on light and light on
// dark.
func textColor(background string) string {
	digits := strings.TrimPrefix(background, "#")
	wide := len(digits) / 3
	sum := 0
	for i := range 3 {
		part := digits[i*wide : (i+1)*wide]
		n, err := strconv.ParseUint(strings.Repeat(part, 2/wide), 16, 8)
		if err != nil {
			return "#FFFFFF" // what is stored is always digits
		}
		sum += int(n)
	}
	if sum > 500 {
		return "#1F1E24"
	}
	return "#FFFFFF"
}
