package view

import (
	"strings"

	"hew/server/tree"
)

func (a *Site) SimpleProject(p tree.Project) SimpleProject {
	page := a.Web(p.NamespaceFullPath)
	if p.NamespaceKind == "group" {
		page = a.Web("groups/" + p.NamespaceFullPath)
	}
	return SimpleProject{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.NamespaceFullName + " / " + p.Name,
		Path: p.Path, PathWithNamespace: p.FullPath, CreatedAt: p.CreatedAt, DefaultBranch: p.Head, TagList: p.Topics,
		Topics: p.Topics, SSHURL: "git@" + a.host() + ":" + p.FullPath + ".git", HTTPURL: a.Web(p.FullPath) + ".git",
		WebURL: a.Web(p.FullPath), ForksCount: p.ForksCount, AvatarURL: a.Picture(p.Avatar), StarCount: p.StarCount,
		LastActivityAt: p.LastActivityAt,
		Namespace: ProjectNamespace{
			ID: p.NamespaceID, Name: p.NamespaceName, Path: p.NamespacePath, Kind: p.NamespaceKind,
			FullPath: p.NamespaceFullPath, ParentID: p.NamespaceParentID, AvatarURL: a.Picture(p.NamespaceAvatar), WebURL: page,
		},
	}
}

// host is where clients find the server, without port.
func (a *Site) host() string {
	_, host, _ := strings.Cut(a.Base, "://")
	host, _, _ = strings.Cut(host, "/")
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return host
}
