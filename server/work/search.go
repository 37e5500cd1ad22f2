package work

import (
	"fmt"
	"strings"

	"hew/server/db"
	"hew/server/tree"
)

// Search adds the condition that a text is found in the title or description of a row t of issues,
// epics or merge requests: all its words of three characters and more (more-2 §10.2), or the whole
// text if none is so long. Words within double quotes are one.
func Search(w *db.Where, table, text string, in []string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	w.Selective = table
	var columns []string
	for _, c := range in {
		columns = append(columns, searched[c])
	}
	if len(columns) == 0 {
		columns = []string{searched["title"], searched["description"]}
	}
	words := searchWords(text)
	if len(words) == 0 {
		w.And(`lower(@search) in (lower(`+strings.Join(columns, `), lower(`)+`))`, text)
	}
	for n, word := range words {
		found := make([]string, len(columns))
		for i, c := range columns {
			found[i] = fmt.Sprintf(`%s ilike @search_%d`, c, n)
		}
		w.And(strings.Join(found, ` or `), tree.Infix(word))
	}
}

// searched are the columns of an issue or epic t that can be searched, as they are indexed.
var searched = map[string]string{"title": `t.title`, "description": `(coalesce(t.description, ''))`}

// minWord is how many characters a word that is searched for has at least, so that an index can
// find it.
const minWord = 3

// searchWords returns the words of a search, at most ten.
func searchWords(text string) (words []string) {
	for n, part := range strings.Split(text, `"`) {
		list := strings.Fields(part)
		if n%2 == 1 && n < strings.Count(text, `"`) {
			list = []string{strings.TrimSpace(part)}
		}
		for _, word := range list {
			if len([]rune(word)) >= minWord && len(words) < 10 {
				words = append(words, word)
			}
		}
	}
	return words
}
