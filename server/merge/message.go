package merge

import (
	"regexp"
	"strings"
)

// The texts of commits where a project has no template (more §6.2).
const (
	defaultMergeMessage = "Merge branch '%{source_branch}' into '%{target_branch}'\n\n%{title}\n\n%{issues}\n\n" +
		"See merge request %{reference}"
	defaultSquashMessage = "%{title}"
)

var (
	variable     = regexp.MustCompile(`%\{([a-z_]+)\}`)
	variableLine = regexp.MustCompile(`^\s*%\{([a-z_]+)\}\s*$`)
)

// expand fills the variables of a template in. A line that holds nothing but a variable without a
// value goes, and with blank lines on both sides the one before goes too. Names that value does not
// know stay as they are.
func expand(template string, value func(name string) (text string, known bool)) string {
	var out []string
	lines := strings.Split(strings.ReplaceAll(template, "\r\n", "\n"), "\n")
	for n, line := range lines {
		if m := variableLine.FindStringSubmatch(line); m != nil {
			if text, known := value(m[1]); known && text == "" {
				before := len(out) == 0 || strings.TrimSpace(out[len(out)-1]) == ""
				after := n+1 == len(lines) || strings.TrimSpace(lines[n+1]) == ""
				if before && after && len(out) > 0 {
					out = out[:len(out)-1]
				}
				continue
			}
		}
		out = append(out, variable.ReplaceAllStringFunc(line, func(found string) string {
			if text, known := value(variable.FindStringSubmatch(found)[1]); known {
				return text
			}
			return found
		}))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// usesAny reports whether a template has one of the variables.
func usesAny(template string, names ...string) bool {
	for _, m := range variable.FindAllStringSubmatch(template, -1) {
		for _, name := range names {
			if m[1] == name {
				return true
			}
		}
	}
	return false
}

// closingList returns "Closes #1, #2 and #3", "" for none.
func closingList(references []string) string {
	switch n := len(references); n {
	case 0:
		return ""
	case 1:
		return "Closes " + references[0]
	default:
		return "Closes " + strings.Join(references[:n-1], ", ") + " and " + references[n-1]
	}
}
