package api

import (
	"slices"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/tree"
	"hew/server/view"
)

// userView has four parts, each shown together with the ones before it: what everybody sees, what
// signed-in users see, what users see of themselves, and what administrators see (gaps §2.1).
type userView struct {
	view.BasicUser
	*publicUser
	*ownUser
	*adminUser
}

type publicUser struct {
	Bot       bool       `json:"bot"`
	CreatedAt *time.Time `json:"created_at,omitempty"` // a private profile hides this and the following
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
	Email            string          `json:"email"`
	CommitEmail      string          `json:"commit_email"`
	LastSignInAt     *time.Time      `json:"last_sign_in_at"`
	CurrentSignInAt  *time.Time      `json:"current_sign_in_at"`
	ConfirmedAt      *time.Time      `json:"confirmed_at"`
	LastActivityOn   *db.Date        `json:"last_activity_on"`
	ThemeID          int             `json:"theme_id"`
	ColorSchemeID    int             `json:"color_scheme_id"`
	ProjectsLimit    int             `json:"projects_limit"`
	Identities       []tree.Identity `json:"identities"`
	CanCreateGroup   bool            `json:"can_create_group"`
	CanCreateProject bool            `json:"can_create_project"`
	TwoFactorEnabled bool            `json:"two_factor_enabled"`
	External         bool            `json:"external"`
	PrivateProfile   bool            `json:"private_profile"`
	RunnersMinutes   *int            `json:"shared_runners_minutes_limit"`
	ExtraMinutes     *int            `json:"extra_shared_runners_minutes_limit"`
}

type adminUser struct {
	IsAdmin             bool                   `json:"is_admin"`
	IsAuditor           bool                   `json:"is_auditor"`
	Note                *string                `json:"note"`
	NamespaceID         int64                  `json:"namespace_id"`
	CreatedBy           *view.BasicUser        `json:"created_by"`
	ViewDiffsFileByFile bool                   `json:"view_diffs_file_by_file"`
	UsingLicenseSeat    bool                   `json:"using_license_seat"`
	CustomAttributes    []view.CustomAttribute `json:"custom_attributes,omitzero"`
}

func (a users) publicView(u tree.User) userView {
	v := userView{BasicUser: a.BasicUser(u.Person()), publicUser: &publicUser{Bot: u.Bot}}
	if !u.PrivateProfile {
		v.showProfile(u)
	}
	return v
}

// showProfile adds the profile, which is public or visible to the caller.
func (v *userView) showProfile(u tree.User) {
	v.CreatedAt, v.profile = &u.CreatedAt, &profile{
		Bio: u.Bio, Location: u.Location, PublicEmail: u.PublicEmail, Skype: u.Skype, Linkedin: u.Linkedin,
		Twitter: u.Twitter, Discord: u.Discord, WebsiteURL: u.WebsiteURL, Organization: u.Organization,
		JobTitle: u.JobTitle, Pronouns: u.Pronouns, WorkInformation: workInformation(u),
	}
}

func (a users) ownView(u tree.User) userView {
	commit := u.Email
	if u.CommitEmail != nil {
		commit = *u.CommitEmail
	}
	v := a.publicView(u)
	v.showProfile(u)
	v.ownUser = &ownUser{
		Email: u.Email, CommitEmail: commit, LastSignInAt: u.LastSignInAt,
		CurrentSignInAt: u.CurrentSignInAt, ConfirmedAt: u.ConfirmedAt, LastActivityOn: u.LastActivityOn,
		ThemeID: u.ThemeID, ColorSchemeID: u.ColorSchemeID, ProjectsLimit: u.ProjectsLimit, Identities: u.Identities,
		CanCreateGroup: u.CanCreateGroup && !u.External, CanCreateProject: u.ProjectsLimit > 0 && !u.External,
		TwoFactorEnabled: u.TwoFactorEnabled, External: u.External, PrivateProfile: u.PrivateProfile,
		RunnersMinutes: u.RunnersMinutesLimit, ExtraMinutes: u.ExtraRunnersMinutesLimit,
	}
	return v
}

// adminView returns the view of a user for administrators, without custom attributes.
func (a users) adminView(u tree.User) userView {
	v := a.ownView(u)
	v.adminUser = &adminUser{
		IsAdmin: u.Admin, IsAuditor: u.Auditor, Note: u.Note, NamespaceID: u.NamespaceID,
		CreatedBy:           a.Author(u.CreatedBy),
		ViewDiffsFileByFile: u.ViewDiffsFileByFile, UsingLicenseSeat: !u.Bot && u.Usable(),
	}
	return v
}

// attributesParam is the parameter of administrators who ask for custom attributes.
type attributesParam struct {
	WithCustomAttributes bool `param:"with_custom_attributes"`
}

// adminViewWith returns the view of a user for administrators, with what they ask for.
func (a users) adminViewWith(in attributesParam, u tree.User) userView {
	v := a.adminView(u)
	if in.WithCustomAttributes {
		v.CustomAttributes = view.CustomAttributesOf(u.CustomAttributes)
	}
	return v
}

func workInformation(u tree.User) *string {
	parts := slices.DeleteFunc([]string{u.JobTitle, u.Organization}, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return nil
	}
	text := strings.Join(parts, " at ")
	return &text
}
