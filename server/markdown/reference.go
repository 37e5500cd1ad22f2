package markdown

// Kind says what a reference is to.
type Kind uint8

// The kinds of references.
const (
	Issue        Kind = iota + 1 // #1
	MergeRequest                 // !1
	Epic                         // &1
	Commit                       // 7 to 40 hexadecimal digits
	URL                          // an http or https URL
	Label                        // ~bug or ~1; not among References
	Milestone                    // %1.0 or %1; not among References
)

// A Reference names an object as people write it in texts. Whether it exists is not known.
type Reference struct {
	Kind Kind
	// Path is what is written before the mark: the path of a project or group, absolute or
	// relative. It is empty in references to the place of the text.
	Path   string
	Number int64  // of an issue, merge request or epic; positive
	Name   string // of a label or milestone, or its number
	SHA    string // of a commit, in lower case
	URL    string // at most 300 bytes
}

// References returns what a text refers to, each once, in order. Code, HTML blocks and words have
// no references, nor has a text that would take long to read. Which URLs are references is left to
// the caller, who knows the addresses of objects.
func References(text string) []Reference {
	var found []Reference
	for _, p := range passages(text) {
		for _, t := range scan(p.text) {
			if t.mention == "" {
				found = append(found, t.reference)
			}
		}
	}
	return once(found)
}

// once returns the references, each once, in order.
func once(all []Reference) (found []Reference) {
	seen := map[Reference]bool{}
	for _, r := range all {
		if !seen[r] {
			seen[r] = true
			found = append(found, r)
		}
	}
	return found
}
