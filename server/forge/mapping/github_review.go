package mapping

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"hew/server/forge/github"
	"hew/server/transfer/archive"
)

// reviewStates maps the states of reviews to those of reviewers, and to the head of a note.
var reviewStates = map[string]struct {
	reviewer archive.Word
	head     string
}{
	"APPROVED":          {"approved", "Approved"},
	"CHANGES_REQUESTED": {"requested_changes", "Changes requested"},
	"COMMENTED":         {"reviewed", "Commented"},
	"DISMISSED":         {"reviewed", "Dismissed"},
}

// review stores reviewers and approvals in a document, and returns the notes of reviews: a text
// with a head, and a system note for an approval.
func (g GitHub) review(
	doc *archive.MergeRequest, requested []github.User, reviews []github.Review,
) (notes []archive.Note) {
	doc.Approvals, doc.MergeRequestReviewers = []archive.UserLink{}, []archive.Reviewer{}
	for _, u := range requested {
		setReviewer(doc, archive.Reviewer{UserID: g.People.find(u.Login), State: "unreviewed"})
	}
	for _, r := range reviews {
		state, ok := reviewStates[r.State]
		if !ok { // it is not submitted yet
			continue
		}
		login := loginOf(r.User)
		known := g.People.find(login)
		setReviewer(doc, archive.Reviewer{UserID: known, State: state.reviewer, CreatedAt: r.SubmittedAt})
		if r.State == "APPROVED" && known != nil {
			approve(doc, archive.UserLink{UserID: known, CreatedAt: r.SubmittedAt})
			notes = append(notes, archive.Note{
				Note: "approved this merge request", NoteableType: onMerge, AuthorID: known, System: true,
				CreatedAt: r.SubmittedAt, UpdatedAt: r.SubmittedAt,
				SystemNoteMetadata: &archive.SystemNoteMetadata{Action: "approved"},
			})
		}
		if r.Body == "" && (r.State != "APPROVED" || known != nil) {
			continue
		}
		text := "**Review:** " + state.head
		if r.Body != "" {
			text += "\n\n" + r.Body
		}
		id, text := g.author(r.User, text)
		notes = append(notes, archive.Note{
			Note: text, NoteableType: onMerge, AuthorID: id, CreatedAt: r.SubmittedAt, UpdatedAt: r.SubmittedAt,
		})
	}
	return notes
}

// setReviewer adds a reviewer, or gives one who is there another state.
func setReviewer(doc *archive.MergeRequest, r archive.Reviewer) {
	if r.UserID == nil {
		return
	}
	for i, other := range doc.MergeRequestReviewers {
		if *other.UserID == *r.UserID {
			doc.MergeRequestReviewers[i] = r
			return
		}
	}
	doc.MergeRequestReviewers = append(doc.MergeRequestReviewers, r)
}

func approve(doc *archive.MergeRequest, by archive.UserLink) {
	for _, other := range doc.Approvals {
		if *other.UserID == *by.UserID {
			return
		}
	}
	doc.Approvals = append(doc.Approvals, by)
}

// diffNotes returns the notes of comments on lines. Replies join the thread of the comment that
// they answer. Comments whose place is not known become plain notes that say where they were.
func (g GitHub) diffNotes(parts PullParts) (notes []archive.Note) {
	first := map[int64]github.ReviewComment{} // by the id of any comment of the thread
	for _, c := range parts.ReviewComments {
		root, ok := first[c.InReplyTo]
		if c.InReplyTo == 0 || !ok {
			root = c
		}
		first[c.ID] = root
		id, text := g.author(c.User, c.Body)
		note := archive.Note{
			NoteableType: onMerge, AuthorID: id, DiscussionID: new(discussionID("github", root.ID)),
			CreatedAt: timeOf(c.CreatedAt), UpdatedAt: timeOf(c.UpdatedAt), Type: new("DiffNote"),
		}
		position, ok := positionOf(parts, root)
		if ok {
			note.CommitID = optional(position.HeadSHA)
			note.Position, _ = json.Marshal(position) // of texts and numbers
			note.OriginalPosition = note.Position
			note.LineCode = new(lineCode(position))
		} else {
			note.Type = new("DiscussionNote")
			if c.ID == root.ID {
				text = fmt.Sprintf("*Comment on %s*\n\n%s", codeSpan(where(c)), text)
			}
		}
		if note.Note = text; text != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// positionOf returns the place of a comment: in the diff of the head, if the host knows its line
// there, else in the diff that it was written on.
func positionOf(parts PullParts, c github.ReviewComment) (archive.Position, bool) {
	p := parts.Pull
	at, ok := lastLineOfHunk(c.DiffHunk)
	head := cmp.Or(c.OriginalCommitID, c.CommitID)
	if !ok || c.Path == "" || head == "" || c.SubjectType == "file" {
		return archive.Position{}, false
	}
	if c.Line != nil && c.OriginalLine != nil && c.CommitID == p.Head.SHA {
		head = p.Head.SHA
		if at.new != nil && c.Side != "LEFT" {
			at.new = new(*at.new + *c.Line - *c.OriginalLine)
		}
	}
	path := clean(c.Path)
	return archive.Position{
		BaseSHA: cmp.Or(parts.MergeBase, p.Base.SHA), StartSHA: p.Base.SHA, HeadSHA: head, OldPath: &path,
		NewPath: &path, PositionType: "text", OldLine: at.old, NewLine: at.new,
	}, at.new == nil || *at.new > 0
}

func where(c github.ReviewComment) string {
	if line := cmp.Or(c.Line, c.OriginalLine); line != nil {
		return fmt.Sprintf("%s:%d", c.Path, *line)
	}
	return c.Path
}

func codeSpan(text string) string { return "`" + strings.ReplaceAll(clean(text), "`", "'") + "`" }

// discussionID returns the id of a thread that begins with a comment of the other host.
func discussionID(kind string, id int64) string {
	sum := sha1.Sum(fmt.Appendf(nil, "%s comment %d", kind, id))
	return hex.EncodeToString(sum[:])
}

// lineCode returns the name of a line in diffs: SHA-1 of the path, the old line and the new one.
func lineCode(p archive.Position) string {
	sum := sha1.Sum([]byte(*p.NewPath))
	line := func(n *int) int {
		if n == nil {
			return 0
		}
		return *n
	}
	return fmt.Sprintf("%x_%d_%d", sum, line(p.OldLine), line(p.NewLine))
}
