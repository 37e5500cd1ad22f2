package markdown

import "strings"

// A Mention is the name of a user or group after an at sign.
type Mention struct {
	Name string // without the at sign, as first written: "ann", "group/sub", "all"
	// Direct tells that the name is one of those at the start of a paragraph that is neither in a
	// list nor in a quote: it is addressed, not only mentioned.
	Direct bool
}

// Mentions returns the names of users and groups in a text, each once in whatever case, in order.
// Code, links, HTML blocks, words and addresses have none, nor has a text that would take long to
// read.
func Mentions(text string) (found []Mention) {
	index := map[string]int{}
	for _, p := range passages(text) {
		addressed := 0 // what is before this byte are mentions and blanks
		for _, t := range scan(p.text) {
			if t.mention == "" {
				continue
			}
			direct := p.leads && strings.TrimSpace(p.text[addressed:t.start]) == ""
			if direct {
				addressed = t.end
			}
			key := strings.ToLower(t.mention)
			i, known := index[key]
			if !known {
				i, index[key] = len(found), len(found)
				found = append(found, Mention{Name: t.mention})
			}
			found[i].Direct = found[i].Direct || direct
		}
	}
	return found
}
