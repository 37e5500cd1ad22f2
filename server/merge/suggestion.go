package merge

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/tree"
)

const (
	maxSuggestedAround = 100     // lines above and below the line of a suggestion
	maxSuggested       = 100     // suggestions of one note
	maxSuggestedFile   = 5 << 20 // bytes of a file whose lines can be replaced
)

// suggested is a suggestion in the text of a note: what replaces the line that the note is on, with
// lines above and below it.
type suggested struct {
	above, below int
	text         string // lines, each with its line feed
}

var suggestionFence = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})suggestion(?::-(\\d+)\\+(\\d+))?[ \\t]*$")

// suggestionsIn returns the suggestions in a text, in their order.
func suggestionsIn(text string) (list []suggested) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for n := 0; n < len(lines) && len(list) < maxSuggested; n++ {
		m := suggestionFence.FindStringSubmatch(lines[n])
		if m == nil {
			if fence := otherFence(lines[n]); fence != "" {
				n = fenceEnd(lines, n+1, fence)
			}
			continue
		}
		end := fenceEnd(lines, n+1, m[1])
		s := suggested{above: linesAround(m[2]), below: linesAround(m[3])}
		for _, line := range lines[n+1 : end] {
			s.text += line + "\n"
		}
		list = append(list, s)
		n = end
	}
	return list
}

// otherFence returns the fence that begins other code in a line, "" if none does.
func otherFence(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, mark))
		if n >= 3 && (mark == "~" || !strings.Contains(line[n:], "`")) {
			return line[:n]
		}
	}
	return ""
}

// fenceEnd returns the line that ends a block of code: the end of the text if none does.
func fenceEnd(lines []string, from int, fence string) int {
	for n := from; n < len(lines); n++ {
		line := strings.TrimSpace(lines[n])
		if strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == "" {
			return n
		}
	}
	return len(lines)
}

func linesAround(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil && digits != "" {
		return maxSuggestedAround
	}
	return min(n, maxSuggestedAround)
}

// storeSuggestions keeps the suggestions of a note on lines of a merge request in place of those
// that it had.
func storeSuggestions(ctx context.Context, st *db.Store, on note.Target, n note.Note) error {
	if on.Kind != note.MergeRequest || n.System {
		return nil
	}
	p, err := note.PositionOf(n)
	if err != nil || p == nil || p.PositionType != note.TextPosition || p.NewLine == nil {
		return err
	}
	if err := st.Exec(ctx, `delete from suggestions where note_id = @note`, pgx.NamedArgs{"note": n.ID}); err != nil {
		return err
	}
	found := suggestionsIn(n.Body)
	if len(found) == 0 {
		return nil
	}
	project, err := tree.FindProject(ctx, st, *on.ProjectID)
	if err != nil {
		return err
	}
	lines, err := linesOf(ctx, st, project, p.HeadSHA, p.NewPath)
	if err != nil || len(lines) < *p.NewLine {
		return fault.IgnoreNotFound(err)
	}
	var batch pgx.Batch
	const insert = `
		insert into suggestions (note_id, position, lines_above, lines_below, from_content, to_content)
		values (@note, @position, @above, @below, @from, @to)`
	for i, s := range found {
		above, below := min(s.above, *p.NewLine-1), min(s.below, len(lines)-*p.NewLine)
		batch.Queue(insert, pgx.NamedArgs{
			"note": n.ID, "position": i, "above": above, "below": below, "to": textColumn(s.text),
			"from": textColumn(strings.Join(lines[*p.NewLine-1-above:*p.NewLine+below], "")),
		})
	}
	return st.SendBatch(ctx, insert, &batch)
}

// linesOf returns the lines of a file with their ends: none of a file that is too large.
func linesOf(ctx context.Context, st *db.Store, p tree.Project, revision, path string) ([]string, error) {
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return nil, err
	}
	data, err := g.ReadSmallFile(ctx, revision, path, maxSuggestedFile)
	return splitLines(string(data)), err
}

func splitLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// textColumn returns a text as a column can have it.
func textColumn(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// onNoteCreated and onNoteChanged keep the suggestions of notes.
func onNoteCreated(ctx context.Context, st *db.Store, e note.Created) error {
	return storeSuggestions(ctx, st, e.Target, e.Note)
}

func onNoteChanged(ctx context.Context, st *db.Store, e note.Changed) error {
	if e.Before.Body == e.Note.Body {
		return nil
	}
	return storeSuggestions(ctx, st, e.Target, e.Note)
}
