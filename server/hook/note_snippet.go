package hook

import (
	"time"

	"hew/server/snippet"
)

// noteSnippet is the snippet that a note is on.
type noteSnippet struct {
	ID          int64     `json:"id"`
	Title       string    `json:"title"`
	Description *string   `json:"description"`
	AuthorID    *int64    `json:"author_id"`
	ProjectID   *int64    `json:"project_id"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	FileName    string    `json:"file_name"` // of the first file
	Type        string    `json:"type"`      // ProjectSnippet
	Visibility  int       `json:"visibility_level"`
	URL         string    `json:"url"`
}

func newNoteSnippet(s snippet.Snippet, page string) *noteSnippet {
	v := &noteSnippet{
		ID: s.ID, Title: s.Title, Description: s.Description, AuthorID: s.AuthorID, ProjectID: s.ProjectID,
		CreatedAt: wholeSeconds(s.CreatedAt), UpdatedAt: wholeSeconds(s.UpdatedAt), Type: "ProjectSnippet",
		Visibility: int(s.Visibility), URL: page,
	}
	if len(s.Files) > 0 {
		v.FileName = s.Files[0]
	}
	return v
}
