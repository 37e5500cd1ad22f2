package api

import (
	"context"

	"hew/server/ci"
	"hew/server/rest"
	"hew/server/scope"
)

// tokenKeys are the addresses at which other hosts find the keys that sign the tokens of jobs, as
// OpenID Connect Discovery has them.
type tokenKeys struct{ site ci.Site }

const (
	keysRoute      = "/oauth/discovery/keys"
	discoveryRoute = "/.well-known/openid-configuration"
)

// tokenKeyRoute returns the route that an address for keys stands for.
func tokenKeyRoute(path string) (string, bool) {
	switch path {
	case keysRoute, discoveryRoute:
		return "/api/v4" + path, true
	}
	return "", false
}

func (a tokenKeys) routes() []rest.Route {
	anyone := scope.ForAnyone()
	return []rest.Route{rest.Get(keysRoute, anyone, a.keys), rest.Get(discoveryRoute, anyone, a.discovery)}
}

type keySet struct {
	Keys []ci.PublicKey `json:"keys"`
}

func (tokenKeys) keys(ctx context.Context, s scope.Anyone, _ rest.None) (keySet, error) {
	list, err := ci.PublicKeys(ctx, s.Store)
	return keySet{list}, err
}

// discoveryView says where the keys are, and what the tokens are like.
type discoveryView struct {
	Issuer        string   `json:"issuer"`
	KeysAddress   string   `json:"jwks_uri"`
	ResponseTypes []string `json:"response_types_supported"`
	SubjectTypes  []string `json:"subject_types_supported"`
	Algorithms    []string `json:"id_token_signing_alg_values_supported"`
	Claims        []string `json:"claims_supported"`
}

func (a tokenKeys) discovery(context.Context, scope.Anyone, rest.None) (discoveryView, error) {
	return discoveryView{
		Issuer: a.site.Base, KeysAddress: a.site.Base + keysRoute, ResponseTypes: []string{"id_token"},
		SubjectTypes: []string{"public"}, Algorithms: []string{"RS256"},
		Claims: []string{"iss", "sub", "aud", "exp", "nbf", "iat", "jti"},
	}, nil
}
