package view

import (
	"strings"
	"time"

	"hew/server/tree"
)

type SimpleProject struct {
	ID                int64            `json:"id"`
	Description       *string          `json:"description"`
	Name              string           `json:"name"`
	NameWithNamespace string           `json:"name_with_namespace"`
	Path              string           `json:"path"`
	PathWithNamespace string           `json:"path_with_namespace"`
	CreatedAt         time.Time        `json:"created_at"`
	DefaultBranch     string           `json:"default_branch"`
	TagList           []string         `json:"tag_list"`
	Topics            []string         `json:"topics"`
	SSHURL            string           `json:"ssh_url_to_repo"`
	HTTPURL           string           `json:"http_url_to_repo"`
	WebURL            string           `json:"web_url"`
	ReadmeURL         *string          `json:"readme_url"`
	ForksCount        int              `json:"forks_count"`
	AvatarURL         *string          `json:"avatar_url"`
	StarCount         int              `json:"star_count"`
	LastActivityAt    time.Time        `json:"last_activity_at"`
	Namespace         ProjectNamespace `json:"namespace"`
}

type ProjectNamespace struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Path      string  `json:"path"`
	Kind      string  `json:"kind"`
	FullPath  string  `json:"full_path"`
	ParentID  *int64  `json:"parent_id"`
	AvatarURL *string `json:"avatar_url"`
	WebURL    string  `json:"web_url"`
}

func (a *Site) SimpleProject(p tree.Project) SimpleProject {
	page := a.Web(p.NamespaceFullPath)
	if p.NamespaceKind == "group" {
		page = a.Web("groups/" + p.NamespaceFullPath)
	}
	return SimpleProject{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.NamespaceFullName + " / " + p.Name,
		Path: p.Path, PathWithNamespace: p.FullPath, CreatedAt: p.CreatedAt, DefaultBranch: p.Head, TagList: p.Topics,
		Topics: p.Topics, SSHURL: a.SSH(p.FullPath), HTTPURL: a.Web(p.FullPath) + ".git",
		WebURL: a.Web(p.FullPath), ForksCount: p.ForksCount, AvatarURL: a.Picture(p.Avatar), StarCount: p.StarCount,
		LastActivityAt: p.LastActivityAt,
		Namespace: ProjectNamespace{
			ID: p.NamespaceID, Name: p.NamespaceName, Path: p.NamespacePath, Kind: p.NamespaceKind,
			FullPath: p.NamespaceFullPath, ParentID: p.NamespaceParentID, AvatarURL: a.Picture(p.NamespaceAvatar),
			WebURL: page,
		},
	}
}

// SSH returns the address of a repository for git clients that use SSH.
func (a *Site) SSH(path string) string { return "git@" + a.Host() + ":" + path + ".git" }

// Host is where clients find the server, without port.
func (a *Site) Host() string {
	_, host, _ := strings.Cut(a.Base, "://")
	host, _, _ = strings.Cut(host, "/")
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return host
}
