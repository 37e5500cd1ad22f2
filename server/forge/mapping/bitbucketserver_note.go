package mapping

import (
	"encoding/json"
	"fmt"
	"strings"

	"hew/server/forge/bitbucketserver"
	"hew/server/transfer/archive"
)

const (
	maxReplies = 100 // levels of replies that are read
	maxQuote   = 80  // characters of what a reply answers
)

// comments returns the notes of a comment and of its replies, which become one thread. A reply to a
// reply quotes it.
func (b BitbucketServer) comments(p bitbucketserver.Pull, a bitbucketserver.Activity) []archive.Note {
	thread := archive.Note{
		NoteableType: onMerge, DiscussionID: new(discussionID("bitbucket_server", a.Comment.ID)),
		Type: new("DiscussionNote"),
	}
	head := ""
	if a.Anchor != nil {
		position, ok := anchorPosition(p, *a.Anchor)
		if ok {
			thread.Type, thread.CommitID = new("DiffNote"), optional(position.HeadSHA)
			thread.Position, _ = json.Marshal(position) // of texts and numbers
			thread.OriginalPosition = thread.Position
			thread.LineCode = new(lineCode(position))
		} else {
			head = fmt.Sprintf("*Comment on %s*\n\n", codeSpan(fmt.Sprintf("%s:%d", a.Anchor.Path, a.Anchor.Line)))
		}
	}
	return b.thread(nil, thread, *a.Comment, head, 0)
}

// thread adds the note of a comment, and those of its replies.
func (b BitbucketServer) thread(
	notes []archive.Note, thread archive.Note, c bitbucketserver.Comment, head string, level int,
) []archive.Note {
	note := thread
	id, text := b.author(c.Author, c.Text)
	note.AuthorID, note.Note = id, head+text
	note.CreatedAt, note.UpdatedAt = timeOf(c.CreatedDate.Time), timeOf(c.UpdatedDate.Time)
	if note.Note != "" {
		notes = append(notes, note)
	}
	if level == maxReplies {
		return notes
	}
	for _, reply := range c.Comments {
		notes = b.thread(notes, thread, reply, quoteReply(c, level+1), level+1)
	}
	return notes
}

// quoteReply returns the beginning of a reply of a level. The first level answers the comment that
// stands above it.
func quoteReply(parent bitbucketserver.Comment, level int) string {
	if level < 2 {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(parent.Text), "\n")
	if runes := []rune(line); len(runes) > maxQuote {
		line = string(runes[:maxQuote-1]) + "…"
	}
	return "> " + quoteMentions(line) + "\n\n"
}

// anchorPosition returns the place of a comment on a line.
func anchorPosition(p bitbucketserver.Pull, a bitbucketserver.Anchor) (archive.Position, bool) {
	if a.Line < 1 || a.Line >= 1<<30 || a.Path == "" {
		return archive.Position{}, false
	}
	path, old := clean(a.Path), clean(a.SrcPath)
	if old == "" {
		old = path
	}
	at := archive.Position{
		BaseSHA: p.To.LatestCommit, StartSHA: p.To.LatestCommit, HeadSHA: p.From.LatestCommit,
		OldPath: &old, NewPath: &path, PositionType: "text",
	}
	if a.ToHash != "" && a.FromHash != "" {
		at.BaseSHA, at.StartSHA, at.HeadSHA = a.FromHash, a.FromHash, a.ToHash
	}
	switch a.LineType {
	case "ADDED":
		at.NewLine = &a.Line
	case "REMOVED":
		at.OldLine = &a.Line
	default: // the other number of a line in between is not said
		return archive.Position{}, false
	}
	return at, at.HeadSHA != ""
}
