package definition

// Retry says how often and after which failures a job is run again.
type Retry struct {
	Max       int      `json:"max"`
	When      []string `json:"when,omitempty"` // failure reasons, or always
	ExitCodes []int    `json:"exit_codes,omitempty"`
}

// Release is a release that the job makes.
type Release struct {
	TagName     string         `json:"tag_name"`
	TagMessage  string         `json:"tag_message,omitempty"`
	Name        string         `json:"name,omitempty"`
	Description string         `json:"description"`
	Ref         string         `json:"ref,omitempty"`
	Milestones  []string       `json:"milestones,omitempty"`
	ReleasedAt  string         `json:"released_at,omitempty"`
	Assets      *ReleaseAssets `json:"assets,omitempty"`
}

// ReleaseAssets are links of a release.
type ReleaseAssets struct {
	Links []ReleaseLink `json:"links"`
}

// ReleaseLink is a link of a release.
type ReleaseLink struct {
	Name     string `json:"name"`
	URL      string `json:"url"`
	FilePath string `json:"filepath,omitempty"`
	LinkType string `json:"link_type,omitempty"`
}

// Pages says that a job publishes a site.
type Pages struct {
	Publish    string `json:"publish"` // a directory
	PathPrefix string `json:"path_prefix,omitempty"`
	ExpireIn   string `json:"expire_in,omitempty"`
}

// IDToken is a variable that holds a JWT.
type IDToken struct {
	Name     string   `json:"name"`
	Audience []string `json:"aud"`
}
