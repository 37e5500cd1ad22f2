package setting

import (
	"context"
	"time"

	"hew/server/db"
)

// Throttles are the settings of limits that hold for every request of a kind, of one user or of one
// address that does not sign in.
type Throttles struct {
	APIOn                   bool `json:"throttle_authenticated_api_enabled"`
	APIRequests             int  `json:"throttle_authenticated_api_requests_per_period"`
	APIPeriod               int  `json:"throttle_authenticated_api_period_in_seconds"`
	AnonymousAPIOn          bool `json:"throttle_unauthenticated_api_enabled"`
	AnonymousAPIRequests    int  `json:"throttle_unauthenticated_api_requests_per_period"`
	AnonymousAPIPeriod      int  `json:"throttle_unauthenticated_api_period_in_seconds"`
	PackagesOn              bool `json:"throttle_authenticated_packages_api_enabled"`
	PackagesRequests        int  `json:"throttle_authenticated_packages_api_requests_per_period"`
	PackagesPeriod          int  `json:"throttle_authenticated_packages_api_period_in_seconds"`
	AnonymousPackagesOn     bool `json:"throttle_unauthenticated_packages_api_enabled"`
	AnonymousPackages       int  `json:"throttle_unauthenticated_packages_api_requests_per_period"`
	AnonymousPackagesPeriod int  `json:"throttle_unauthenticated_packages_api_period_in_seconds"`
	FilesOn                 bool `json:"throttle_authenticated_files_api_enabled"`
	FilesRequests           int  `json:"throttle_authenticated_files_api_requests_per_period"`
	FilesPeriod             int  `json:"throttle_authenticated_files_api_period_in_seconds"`
	AnonymousFilesOn        bool `json:"throttle_unauthenticated_files_api_enabled"`
	AnonymousFiles          int  `json:"throttle_unauthenticated_files_api_requests_per_period"`
	AnonymousFilesPeriod    int  `json:"throttle_unauthenticated_files_api_period_in_seconds"`
	LFSOn                   bool `json:"throttle_authenticated_git_lfs_enabled"`
	LFSRequests             int  `json:"throttle_authenticated_git_lfs_requests_per_period"`
	LFSPeriod               int  `json:"throttle_authenticated_git_lfs_period_in_seconds"`
	AnonymousLFSOn          bool `json:"throttle_unauthenticated_git_lfs_enabled"`
	AnonymousLFS            int  `json:"throttle_unauthenticated_git_lfs_requests_per_period"`
	AnonymousLFSPeriod      int  `json:"throttle_unauthenticated_git_lfs_period_in_seconds"`
}

// Any reports whether any kind of requests is throttled.
func (t Throttles) Any() bool {
	return t.APIOn || t.AnonymousAPIOn || t.PackagesOn || t.AnonymousPackagesOn || t.FilesOn || t.AnonymousFilesOn ||
		t.LFSOn || t.AnonymousLFSOn
}

// Traffic is a kind of requests that settings throttle.
type Traffic int

// The kinds of requests.
const (
	APITraffic Traffic = iota // and of the kinds below, if these are not throttled themselves
	PackageTraffic
	FileTraffic // files of repositories through the API
	LFSTraffic
)

// Throttle limits the requests of one kind by one user or address.
type Throttle struct {
	name          string
	on            bool
	most, seconds int
}

// Throttle returns the limit of a kind of requests, by whether the caller signs in. ok is false if
// there is none.
func (s Settings) Throttle(of Traffic, signed bool) (t Throttle, ok bool) {
	all := map[Traffic][2]Throttle{ // without and with signing in
		APITraffic: {
			{"throttle_unauthenticated_api", s.AnonymousAPIOn, s.AnonymousAPIRequests, s.AnonymousAPIPeriod},
			{"throttle_authenticated_api", s.APIOn, s.APIRequests, s.APIPeriod},
		},
		PackageTraffic: {
			{"throttle_unauthenticated_packages_api", s.AnonymousPackagesOn, s.AnonymousPackages,
				s.AnonymousPackagesPeriod},
			{"throttle_authenticated_packages_api", s.PackagesOn, s.PackagesRequests, s.PackagesPeriod},
		},
		FileTraffic: {
			{"throttle_unauthenticated_files_api", s.AnonymousFilesOn, s.AnonymousFiles, s.AnonymousFilesPeriod},
			{"throttle_authenticated_files_api", s.FilesOn, s.FilesRequests, s.FilesPeriod},
		},
		LFSTraffic: {
			{"throttle_unauthenticated_git_lfs", s.AnonymousLFSOn, s.AnonymousLFS, s.AnonymousLFSPeriod},
			{"throttle_authenticated_git_lfs", s.LFSOn, s.LFSRequests, s.LFSPeriod},
		},
	}
	which := 0
	if signed {
		which = 1
	}
	if t = all[of][which]; !t.on && of != LFSTraffic {
		t = all[APITraffic][which]
	}
	return t, t.on
}

// ThrottleCount is what a limit admits, and what of it is used.
type ThrottleCount struct {
	Name     string
	Most     int           // requests in the period
	Period   time.Duration // from the first of them on
	Observed int           // requests in this period
	Left     time.Duration // of this period
}

// Within reports whether the last request was within the limit.
func (c ThrottleCount) Within() bool { return c.Observed <= c.Most }

// Count counts a request of a user or address.
func (t Throttle) Count(ctx context.Context, st *db.Store, holder string) (ThrottleCount, error) {
	c := ThrottleCount{Name: t.name, Most: t.most, Period: time.Duration(t.seconds) * time.Second}
	var err error
	c.Observed, c.Left, err = countRequest(ctx, st, t.name, holder, c.Period)
	return c, err
}
