package api

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/store"
)

// A user has four views, each containing the one before: what is embedded everywhere, what every user sees of another,
// what he sees of himself, and what administrators see (gaps §2.1).
type basicUser struct {
	ID        int64   `json:"id"`
	Username  string  `json:"username"`
	Name      string  `json:"name"`
	State     string  `json:"state"`
	Locked    bool    `json:"locked"`
	AvatarURL *string `json:"avatar_url"`
	WebURL    string  `json:"web_url"`
}

type publicUser struct {
	basicUser
	Bot       bool       `json:"bot"`
	CreatedAt *time.Time `json:"created_at,omitempty"` // this and the following are kept back by a private profile
	*profile
}

type profile struct {
	Bio             string  `json:"bio"`
	Location        *string `json:"location"`
	PublicEmail     *string `json:"public_email"`
	Skype           string  `json:"skype"`
	Linkedin        string  `json:"linkedin"`
	Twitter         string  `json:"twitter"`
	Discord         string  `json:"discord"`
	WebsiteURL      string  `json:"website_url"`
	Organization    string  `json:"organization"`
	JobTitle        string  `json:"job_title"`
	Pronouns        *string `json:"pronouns"`
	WorkInformation *string `json:"work_information"`
	Followers       int     `json:"followers"`
	Following       int     `json:"following"`
	LocalTime       *string `json:"local_time"`
}

type ownUser struct {
	publicUser
	Email            string           `json:"email"`
	CommitEmail      string           `json:"commit_email"`
	LastSignInAt     *time.Time       `json:"last_sign_in_at"`
	CurrentSignInAt  *time.Time       `json:"current_sign_in_at"`
	ConfirmedAt      *time.Time       `json:"confirmed_at"`
	LastActivityOn   *store.Date      `json:"last_activity_on"`
	ThemeID          int              `json:"theme_id"`
	ColorSchemeID    int              `json:"color_scheme_id"`
	ProjectsLimit    int              `json:"projects_limit"`
	Identities       []store.Identity `json:"identities"`
	CanCreateGroup   bool             `json:"can_create_group"`
	CanCreateProject bool             `json:"can_create_project"`
	TwoFactorEnabled bool             `json:"two_factor_enabled"`
	External         bool             `json:"external"`
	PrivateProfile   bool             `json:"private_profile"`
	RunnersMinutes   *int             `json:"shared_runners_minutes_limit"`
	ExtraMinutes     *int             `json:"extra_shared_runners_minutes_limit"`
}

type adminUser struct {
	ownUser
	IsAdmin             bool              `json:"is_admin"`
	IsAuditor           bool              `json:"is_auditor"`
	Note                *string           `json:"note"`
	NamespaceID         int64             `json:"namespace_id"`
	CreatedBy           *basicUser        `json:"created_by"`
	ViewDiffsFileByFile bool              `json:"view_diffs_file_by_file"`
	UsingLicenseSeat    bool              `json:"using_license_seat"`
	CustomAttributes    []customAttribute `json:"custom_attributes,omitempty"`
}

type customAttribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func (a *API) basicUser(u store.User) basicUser {
	return basicUser{
		ID: u.ID, Username: u.Username, Name: u.Name, State: u.State, AvatarURL: u.Avatar, WebURL: a.web(u.Username),
	}
}

// author is the view of a user who was joined to something that he made; nil if there is none, or no longer.
func (a *API) author(id *int64, username, name, state, avatar *string) *basicUser {
	if id == nil || username == nil {
		return nil
	}
	return &basicUser{ID: *id, Username: *username, Name: *name, State: *state, AvatarURL: avatar, WebURL: a.web(*username)}
}

func (a *API) publicUser(u store.User) publicUser {
	if u.PrivateProfile {
		return publicUser{basicUser: a.basicUser(u), Bot: u.Bot}
	}
	return a.openUser(u)
}

// openUser is the view of a user whose profile is not private, or not private for who asks.
func (a *API) openUser(u store.User) publicUser {
	p := profile{
		Bio: u.Bio, Location: u.Location, PublicEmail: u.PublicEmail, Skype: u.Skype, Linkedin: u.Linkedin,
		Twitter: u.Twitter, Discord: u.Discord, WebsiteURL: u.WebsiteURL, Organization: u.Organization,
		JobTitle: u.JobTitle, Pronouns: u.Pronouns, WorkInformation: workInformation(u),
	}
	return publicUser{basicUser: a.basicUser(u), Bot: u.Bot, CreatedAt: &u.CreatedAt, profile: &p}
}

func (a *API) ownUser(u store.User) ownUser {
	commit := u.Email
	if u.CommitEmail != nil {
		commit = *u.CommitEmail
	}
	return ownUser{
		publicUser: a.openUser(u), Email: u.Email, CommitEmail: commit, LastSignInAt: u.LastSignInAt,
		CurrentSignInAt: u.CurrentSignInAt, ConfirmedAt: u.ConfirmedAt, LastActivityOn: u.LastActivityOn,
		ThemeID: u.ThemeID, ColorSchemeID: u.ColorSchemeID, ProjectsLimit: u.ProjectsLimit, Identities: u.Identities,
		CanCreateGroup: u.CanCreateGroup && !u.External, CanCreateProject: u.ProjectsLimit > 0 && !u.External,
		TwoFactorEnabled: u.TwoFactorEnabled, External: u.External, PrivateProfile: u.PrivateProfile,
		RunnersMinutes: u.RunnersMinutesLimit, ExtraMinutes: u.ExtraRunnersMinutesLimit,
	}
}

func (a *API) adminUser(u store.User, attributes bool) adminUser {
	v := adminUser{
		ownUser: a.ownUser(u), IsAdmin: u.Admin, IsAuditor: u.Auditor, Note: u.Note, NamespaceID: u.NamespaceID,
		CreatedBy: a.author(u.CreatedByID, u.CreatedByUsername, u.CreatedByName, u.CreatedByState, u.CreatedByAvatar), ViewDiffsFileByFile: u.ViewDiffsFileByFile, UsingLicenseSeat: !u.Bot && u.Usable(),
	}
	if attributes {
		v.CustomAttributes = attributesOf(u.CustomAttributes)
	}
	return v
}

// attributesOf lists custom attributes by key.
func attributesOf(m map[string]string) []customAttribute {
	list := make([]customAttribute, 0, len(m))
	for k, v := range m {
		list = append(list, customAttribute{k, v})
	}
	slices.SortFunc(list, func(a, b customAttribute) int { return strings.Compare(a.Key, b.Key) })
	return list
}

func workInformation(u store.User) *string {
	parts := slices.DeleteFunc([]string{u.JobTitle, u.Organization}, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return nil
	}
	text := strings.Join(parts, " at ")
	return &text
}

var (
	usernameForm = regexp.MustCompile(`^[a-zA-Z0-9_.][a-zA-Z0-9_.-]*$`)
	emailForm    = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)
)

// checkUser says what is wrong with the fields of a user, if anything.
func checkUser(u store.User) error {
	switch {
	case len(u.Username) > 255:
		return fault.Invalid("username", "is too long (maximum is 255 characters)")
	case !usernameForm.MatchString(u.Username), strings.HasSuffix(u.Username, "."), endsWith(u.Username, ".git", ".atom"):
		return fault.Invalid("username", "can contain only letters, digits, '_', '-' and '.'. It must not start with '-' or end in '.', '.git' or '.atom'.")
	case slices.Contains(forge.ReservedTop, strings.ToLower(u.Username)):
		return fault.Invalid("username", u.Username+" is a reserved name")
	case !emailForm.MatchString(u.Email):
		return fault.Invalid("email", "is invalid")
	case strings.TrimSpace(u.Name) == "":
		return fault.Invalid("name", "can't be blank")
	}
	return nil
}

func endsWith(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(end string) bool { return strings.HasSuffix(strings.ToLower(s), end) })
}
