package ci

import (
	"net/url"
	"strings"

	"hew/server/ci/definition"
	"hew/server/code"
	"hew/server/db"
	"hew/server/tree"
)

// variables adds what is known of the server.
func (s Site) variables(l *variableList) {
	l.add("CI", "true")
	l.add("GITLAB_CI", "true")
	l.add("GITLAB_FEATURES", "")
	l.add("CI_API_V4_URL", s.Base+"/api/v4")
	l.add("CI_API_GRAPHQL_URL", s.Base+"/api/graphql")
	host, port, protocol := s.address()
	l.add("CI_SERVER_URL", s.Base)
	l.add("CI_SERVER_HOST", host)
	l.add("CI_SERVER_PORT", port)
	l.add("CI_SERVER_PROTOCOL", protocol)
	l.add("CI_SERVER_FQDN", s.FQDN())
	l.add("CI_SERVER_SHELL_SSH_HOST", host)
	l.add("CI_SERVER_SHELL_SSH_PORT", "22")
	l.add("CI_SERVER_NAME", "GitLab")
	l.add("CI_SERVER_VERSION", s.Version)
	number, _, _ := strings.Cut(s.Version, "-")
	parts := strings.Split(number, ".")
	for n, name := range []string{"MAJOR", "MINOR", "PATCH"} {
		if n < len(parts) {
			l.add("CI_SERVER_VERSION_"+name, parts[n])
		}
	}
	l.add("CI_SERVER_REVISION", s.Revision)
	l.add("CI_TEMPLATE_REGISTRY_HOST", "registry.gitlab.com") // of images that public definitions name
}

// address returns the parts of the address of the server.
func (s Site) address() (host, port, protocol string) {
	base, err := url.Parse(s.Base)
	if err != nil {
		return "", "", ""
	}
	host, port, protocol = base.Hostname(), base.Port(), base.Scheme
	if port == "" {
		port = "80"
		if protocol == "https" {
			port = "443"
		}
	}
	return host, port, protocol
}

// FQDN returns the host of the server, with its port unless that is the usual one.
func (s Site) FQDN() string {
	base, err := url.Parse(s.Base)
	if err != nil {
		return ""
	}
	return base.Host
}

// Web returns the address of a page. The path is not escaped yet.
func (s Site) Web(path string) string { return s.Base + "/" + (&url.URL{Path: path}).EscapedPath() }

// maxTopics is how many topics of a project jobs get.
const maxTopics = 20

// projectVariables adds what is known of the project.
func projectVariables(l *variableList, site Site, p tree.Project) {
	l.addID("CI_PROJECT_ID", p.ID)
	l.add("CI_PROJECT_NAME", p.Path)
	l.add("CI_PROJECT_TITLE", p.Name)
	l.add("CI_PROJECT_DESCRIPTION", db.OrZero(p.Description))
	l.add("CI_PROJECT_PATH", p.FullPath)
	l.add("CI_PROJECT_PATH_SLUG", definition.Slug(p.FullPath))
	l.add("CI_PROJECT_NAMESPACE", p.NamespaceFullPath)
	l.addID("CI_PROJECT_NAMESPACE_ID", p.NamespaceID)
	l.add("CI_PROJECT_NAMESPACE_SLUG", definition.Slug(p.NamespaceFullPath))
	root, _, _ := strings.Cut(p.NamespaceFullPath, "/")
	l.add("CI_PROJECT_ROOT_NAMESPACE", root)
	l.add("CI_PROJECT_URL", site.Web(p.FullPath))
	l.add("CI_PROJECT_VISIBILITY", p.Visibility.String())
	l.add("CI_PROJECT_REPOSITORY_LANGUAGES", "")
	l.add("CI_PROJECT_CLASSIFICATION_LABEL", db.OrZero(p.Settings.ExternalAuthorizationLabel))
	topics := p.Topics[:min(len(p.Topics), maxTopics)]
	l.add("CI_PROJECT_TOPICS", strings.ToLower(strings.Join(topics, ",")))
	l.add("CI_DEFAULT_BRANCH", p.Head)
	l.add("CI_DEFAULT_BRANCH_SLUG", definition.Slug(p.Head))
}

// definitionVariables adds where the definition is.
func (s subject) definitionVariables(l *variableList, site Site) {
	l.add("CI_CONFIG_PATH", s.Path)
	ref := code.Heads + s.Ref
	switch {
	case s.Request != nil:
		ref = s.Ref
	case s.Tag:
		ref = code.Tags + s.Ref
	}
	l.add("CI_CONFIG_REF_URI", site.FQDN()+"/"+s.Project.FullPath+"//"+s.Path+"@"+ref)
}
