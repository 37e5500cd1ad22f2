package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"

	"hew/server/db"
	"hew/server/tree"
)

// hookProject is a project in the body of a delivery. The last fields are for older receivers.
type hookProject struct {
	ID                int64   `json:"id"`
	Name              string  `json:"name"`
	Description       *string `json:"description"`
	WebURL            string  `json:"web_url"`
	AvatarURL         *string `json:"avatar_url"`
	GitSSHURL         string  `json:"git_ssh_url"`
	GitHTTPURL        string  `json:"git_http_url"`
	Namespace         string  `json:"namespace"`
	VisibilityLevel   int     `json:"visibility_level"`
	PathWithNamespace string  `json:"path_with_namespace"`
	DefaultBranch     string  `json:"default_branch"`
	CIConfigPath      string  `json:"ci_config_path"`
	Homepage          string  `json:"homepage"`
	URL               string  `json:"url"`
	SSHURL            string  `json:"ssh_url"`
	HTTPURL           string  `json:"http_url"`
}

// hookRepository is the older form of a project.
type hookRepository struct {
	Name            string  `json:"name"`
	URL             string  `json:"url"`
	Description     *string `json:"description"`
	Homepage        string  `json:"homepage"`
	GitHTTPURL      string  `json:"git_http_url"`
	GitSSHURL       string  `json:"git_ssh_url"`
	VisibilityLevel int     `json:"visibility_level"`
}

// hookUser is the user who caused an event.
type hookUser struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Username  string  `json:"username"`
	AvatarURL *string `json:"avatar_url"`
	Email     string  `json:"email"`
}

func (s *Sender) project(p tree.Project) hookProject {
	web, ssh := s.Base+"/"+p.FullPath, "git@"+hostOf(s.Base)+":"+p.FullPath+".git"
	return hookProject{
		ID: p.ID, Name: p.Name, Description: p.Description, WebURL: web, AvatarURL: avatarURL(s.Base, p.Avatar),
		GitSSHURL: ssh, GitHTTPURL: web + ".git",
		Namespace: p.NamespaceName, VisibilityLevel: int(p.Visibility), PathWithNamespace: p.FullPath,
		DefaultBranch: p.Head,
		CIConfigPath:  p.Settings.CIConfigPath, Homepage: web, URL: ssh, SSHURL: ssh, HTTPURL: web + ".git",
	}
}

// hostOf returns the name of the host that an address is at.
func hostOf(base string) string {
	if u, err := url.Parse(base); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return "localhost"
}

// avatarURL returns the address of an avatar, nil without one.
func avatarURL(base string, path *string) *string {
	if path == nil {
		return nil
	}
	return new(base + "/" + *path)
}

func newHookUser(base string, u tree.User) hookUser {
	return hookUser{u.ID, u.Name, u.Username, avatarURL(base, u.Avatar), emailOf(u.PublicEmail)}
}

func (p hookProject) repository() hookRepository {
	return hookRepository{p.Name, p.URL, p.Description, p.Homepage, p.GitHTTPURL, p.GitSSHURL, p.VisibilityLevel}
}

// body returns the body of a delivery: the payload and the present extras of its kind of event.
func (s *Sender) body(ctx context.Context, st *db.Store, e hookEvent, d DeliveryJob) (json.RawMessage, error) {
	var beside struct {
		User       *hookUser       `json:"user,omitempty"`
		Project    *hookProject    `json:"project,omitempty"`
		Repository *hookRepository `json:"repository,omitempty"`
	}
	if e.beside&withUser != 0 && d.User != 0 {
		u, err := tree.FindUser(ctx, st, d.User)
		if err != nil {
			return nil, err
		}
		beside.User = new(newHookUser(s.Base, u))
	}
	if e.beside&(withProject|withRepository) != 0 && d.Project != 0 {
		p, err := tree.FindProject(ctx, st, d.Project)
		if err != nil {
			return nil, err
		}
		view := s.project(p)
		beside.Project = &view
		if e.beside&withRepository != 0 {
			r := view.repository()
			beside.Repository = &r
		}
	}
	text, err := db.EncodeJSON(beside)
	return joinObjects(d.Payload, text), err
}

// joinObjects returns one JSON object with the members of two.
func joinObjects(a, b json.RawMessage) json.RawMessage {
	switch {
	case bytes.Equal(b, []byte("{}")):
		return a
	case bytes.Equal(a, []byte("{}")):
		return b
	}
	return bytes.Join([][]byte{a[:len(a)-1], b[1:]}, []byte(","))
}
