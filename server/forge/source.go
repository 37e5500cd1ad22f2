package forge

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"hew/server/forge/bitbucketserver"
	"hew/server/forge/github"
	"hew/server/forge/hostapi"
	"hew/server/outbound"
)

// The types of imports, as projects show them.
const (
	GitHub          = "github"
	BitbucketServer = "bitbucket_server"
)

// Source is where a project comes from. It is sealed while the import runs, and dropped with it.
type Source struct {
	Kind  string   `json:"kind"` // GitHub, BitbucketServer
	Base  string   `json:"base"` // the address of the API, or of the host
	User  string   `json:"user,omitempty"`
	Token string   `json:"token"`
	More  []string `json:"more,omitempty"` // further tokens, for when the limit of the first is exceeded

	RepositoryID int64  `json:"repository_id,omitempty"`
	FullName     string `json:"full_name"` // acme/site
	Project      string `json:"project,omitempty"`
	Slug         string `json:"slug,omitempty"`
	CloneURL     string `json:"clone_url"` // without credentials
	HasWiki      bool   `json:"has_wiki,omitempty"`
	Branch       string `json:"branch,omitempty"` // the default one, if it is known
}

func decodeSource(text string) (s Source, err error) {
	err = json.Unmarshal([]byte(text), &s)
	return s, err
}

func (s Source) encode() string {
	text, _ := json.Marshal(s) // of texts and numbers
	return string(text)
}

// withCredentials returns the address of a repository at the host with the credentials for git.
func (s Source) withCredentials(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return "", &hostapi.StatusError{Message: "the host names an address to clone from that is not a URL"}
	}
	base, err := url.Parse(s.Base)
	if err != nil {
		return "", err
	}
	if u.Scheme != base.Scheme || !sameHost(u.Host, base.Host) {
		return "", &hostapi.StatusError{
			Message: "the host names an address to clone from at another host, " + u.Host + ", which gets no token",
		}
	}
	user := s.User
	if s.Kind == GitHub {
		user = "x-access-token"
	}
	u.User = url.UserPassword(user, s.Token)
	return u.String(), nil
}

// path returns the path of a repository of the GitHub kind below the base.
func (s Source) path() string { return github.Repository{FullName: s.FullName}.Path() }

// isPublic reports whether the host is the public one of its kind.
func (s Source) isPublic() bool { return s.Kind == GitHub && github.IsPublic(s.Base) }

// sameHost reports whether repositories of a host can be at an address, given the host of its API.
func sameHost(clone, api string) bool {
	return strings.EqualFold(clone, api) || strings.EqualFold("api."+clone, api)
}

// scrub returns a text without the tokens, which another host may repeat.
func (s Source) scrub(text string) string {
	for _, secret := range slices.Concat([]string{s.Token}, s.More) {
		if len(secret) >= 3 {
			text = strings.ReplaceAll(text, secret, "*****")
			text = strings.ReplaceAll(text, url.QueryEscape(secret), "*****")
		}
	}
	return text
}

// Reach is how other hosts are reached.
type Reach struct {
	Out    *outbound.Guard
	Policy outbound.Policy
	Now    func() time.Time // nil: time.Now
	Pause  hostapi.Pause    // nil: a timer
}

// GitHubClients returns a client for each token of a source of the GitHub kind.
func (r Reach) GitHubClients(s Source, pageSize int) (list []*github.Client, err error) {
	for _, token := range slices.Concat([]string{s.Token}, s.More) {
		c, err := github.NewClient(github.Config{
			Base: s.Base, Token: token, PageSize: pageSize, Transport: hostapi.Transport(r.Out, r.Policy),
			Now: r.Now, Pause: r.Pause,
		})
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// BitbucketServerClient returns a client for a source of the Bitbucket Server kind.
func (r Reach) BitbucketServerClient(s Source) (*bitbucketserver.Client, error) {
	return bitbucketserver.NewClient(bitbucketserver.Config{
		URL: s.Base, User: s.User, Token: s.Token, Transport: hostapi.Transport(r.Out, r.Policy),
		Now: r.Now, Pause: r.Pause,
	})
}
