package archive

import (
	"encoding/json"
	"maps"
	"strings"
	"time"
)

// Project is tree/project.json: the attributes of a project, without its relations.
type Project struct {
	Description     *string `json:"description"`
	VisibilityLevel int     `json:"visibility_level"` // 0 private, 10 internal, 20 public
	Archived        bool    `json:"archived"`
	DefaultBranch   *string `json:"default_branch,omitempty"`

	// Attributes holds all other attributes, by their names in archives, such as
	// merge_requests_ff_only_enabled or topics.
	Attributes map[string]json.RawMessage `json:"-"`
}

// The levels of Project.VisibilityLevel.
const (
	Private  = 0
	Internal = 10
	Public   = 20
)

type plainProject Project

// projectFields are the keys of Project that are not in Attributes.
var projectFields = []string{"description", "visibility_level", "archived", "default_branch"}

// MarshalJSON implements json.Marshaler.
func (p Project) MarshalJSON() ([]byte, error) {
	all := map[string]json.RawMessage{}
	maps.Copy(all, p.Attributes)
	fields, err := json.Marshal(plainProject(p))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(fields, &all); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Project) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*plainProject)(p)); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &p.Attributes); err != nil {
		return err
	}
	for _, name := range projectFields {
		delete(p.Attributes, name)
	}
	return nil
}

// ProjectFeature says who may use the features of a project.
type ProjectFeature struct {
	Levels map[string]int // by names such as "issues_access_level": one of the Feature levels
}

// The levels of features.
const (
	FeatureDisabled = 0
	FeaturePrivate  = 10 // for members
	FeatureEnabled  = 20 // for everyone with access
	FeaturePublic   = 30
)

// MarshalJSON implements json.Marshaler.
func (f ProjectFeature) MarshalJSON() ([]byte, error) {
	if f.Levels == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(f.Levels)
}

// UnmarshalJSON implements json.Unmarshaler. It keeps the keys that are levels.
func (f *ProjectFeature) UnmarshalJSON(data []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	f.Levels = map[string]int{}
	for name, value := range all {
		level := 0
		if strings.HasSuffix(name, "_access_level") && json.Unmarshal(value, &level) == nil {
			f.Levels[name] = level
		}
	}
	return nil
}

// Member is a member of the project or, where the caller may see them, of the groups above it.
type Member struct {
	AccessLevel int        `json:"access_level"`
	UserID      *int64     `json:"user_id"`
	CreatedByID *int64     `json:"created_by_id"`
	InviteEmail *string    `json:"invite_email,omitempty"`
	RequestedAt *time.Time `json:"requested_at,omitempty"`
	ExpiresAt   *string    `json:"expires_at"` // YYYY-MM-DD
	CreatedAt   *time.Time `json:"created_at"`
	UpdatedAt   *time.Time `json:"updated_at"`
	User        *User      `json:"user"`
}

// User is a person at the source.
type User struct {
	ID          int64   `json:"id"`
	Username    string  `json:"username"`
	PublicEmail *string `json:"public_email"`
	Email       *string `json:"email,omitempty"` // in archives before 13.12
}

// UserContribution is somebody that ids in other documents refer to.
type UserContribution struct {
	ID          *int64  `json:"id,omitempty"`
	Username    string  `json:"username"`
	Name        string  `json:"name"`
	PublicEmail *string `json:"public_email"`
}

// Badge is an image with a link on the page of a project.
type Badge struct {
	Name     *string `json:"name"`
	LinkURL  string  `json:"link_url"`
	ImageURL string  `json:"image_url"`
}

// CustomAttribute is a key and a value that administrators gave a project.
type CustomAttribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}
