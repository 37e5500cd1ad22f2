package archive

import "time"

// Release is a release of a tag.
type Release struct {
	Tag               string             `json:"tag"`
	Name              *string            `json:"name"`
	Description       *string            `json:"description"`
	SHA               *string            `json:"sha"`
	AuthorID          *int64             `json:"author_id"`
	ReleasedAt        *time.Time         `json:"released_at"`
	CreatedAt         *time.Time         `json:"created_at"`
	UpdatedAt         *time.Time         `json:"updated_at"`
	Links             []ReleaseLink      `json:"links"`
	MilestoneReleases []MilestoneRelease `json:"milestone_releases"`
}

// ReleaseLink is a link among the assets of a release.
type ReleaseLink struct {
	Name      string     `json:"name"`
	URL       string     `json:"url"`
	Filepath  *string    `json:"filepath"`
	LinkType  Word       `json:"link_type"` // other, runbook, image, package
	CreatedAt *time.Time `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at"`
}

// MilestoneRelease is a milestone of a release.
type MilestoneRelease struct {
	Milestone *Milestone `json:"milestone"`
}

// Snippet is a snippet of the project. The files of one with several are in its bundle.
type Snippet struct {
	Title           string       `json:"title"`
	Description     *string      `json:"description"`
	FileName        string       `json:"file_name"` // of the first file
	Content         string       `json:"content"`
	VisibilityLevel int          `json:"visibility_level"`
	AuthorID        *int64       `json:"author_id"`
	CreatedAt       *time.Time   `json:"created_at"`
	UpdatedAt       *time.Time   `json:"updated_at"`
	AwardEmoji      []AwardEmoji `json:"award_emoji"`
	Notes           []Note       `json:"notes"`
}
