package ci

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"strconv"
	"time"

	"hew/server/ci/expression"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/tree"
)

// idClaims are what a token says of its job. Ids are texts, as the programs that check tokens
// compare them.
type idClaims struct {
	Issuer    string `json:"iss"`
	Subject   string `json:"sub"`
	Audience  any    `json:"aud"` // a text, or several
	ID        string `json:"jti"`
	IssuedAt  int64  `json:"iat"` // seconds, as the others
	NotBefore int64  `json:"nbf"`
	Expires   int64  `json:"exp"`

	NamespaceID       string  `json:"namespace_id"`
	NamespacePath     string  `json:"namespace_path"`
	ProjectID         string  `json:"project_id"`
	ProjectPath       string  `json:"project_path"`
	ProjectVisibility string  `json:"project_visibility"`
	UserID            string  `json:"user_id"`
	UserLogin         string  `json:"user_login"`
	UserEmail         string  `json:"user_email"`
	PipelineID        string  `json:"pipeline_id"`
	PipelineSource    string  `json:"pipeline_source"`
	JobID             string  `json:"job_id"`
	Ref               string  `json:"ref"`
	RefType           string  `json:"ref_type"`
	RefPath           string  `json:"ref_path"`
	RefProtected      string  `json:"ref_protected"`
	SHA               string  `json:"sha"`
	RunnerID          int64   `json:"runner_id"`
	RunnerEnvironment string  `json:"runner_environment"`
	ConfigRefURI      *string `json:"ci_config_ref_uri"` // nil where the definition is not of the project
	ConfigSHA         *string `json:"ci_config_sha"`
	Environment       string  `json:"environment,omitempty"`
	DeploymentTier    string  `json:"deployment_tier,omitempty"`
	EnvironmentAction string  `json:"environment_action,omitempty"`
}

// signTokens adds the variables that id_tokens of the definition name: signed JSON Web Tokens by
// which the job proves to other hosts who it is. Nothing that they say comes from variables but the
// audience, since those who start a pipeline can give variables.
func (w *Work) signTokens(ctx context.Context, st *db.Store, site Site, r Runner) error {
	if len(w.Definition.Options.IDTokens) == 0 {
		return nil
	}
	key, err := signingKey(ctx, st)
	if err != nil {
		return err
	}
	claims, err := w.claims(ctx, st, site, r)
	if err != nil {
		return err
	}
	lookup := w.Lookup()
	for _, t := range w.Definition.Options.IDTokens {
		audience := make([]string, len(t.Audience))
		for n, text := range t.Audience {
			audience[n] = expression.Expand(text, lookup)
		}
		claims.Audience, claims.ID = audience, rand.Text()
		if len(audience) == 1 {
			claims.Audience = audience[0]
		}
		token, err := sign(key, claims)
		if err != nil {
			return err
		}
		w.Variables = append(w.Variables, JobVariable{
			Variable: expression.Variable{Key: t.Name, Value: token, Raw: true}, Masked: true,
		})
	}
	return nil
}

// claims returns what all tokens of the job say.
func (w *Work) claims(ctx context.Context, st *db.Store, site Site, r Runner) (c idClaims, err error) {
	id := func(n int64) string { return strconv.FormatInt(n, 10) }
	now := time.Now()
	c = idClaims{
		Issuer: site.Base, IssuedAt: now.Unix(), NotBefore: now.Add(-5 * time.Second).Unix(),
		Expires:     now.Add(time.Duration(*w.Job.Timeout) * time.Second).Unix(),
		NamespaceID: id(w.Project.NamespaceID), NamespacePath: w.Project.NamespaceFullPath,
		ProjectID: id(w.Project.ID), ProjectPath: w.Project.FullPath, ProjectVisibility: w.Project.Visibility.String(),
		PipelineID: id(w.Pipeline.ID), PipelineSource: string(w.Pipeline.Source), JobID: id(w.Job.ID),
		Ref: w.Pipeline.Ref, RefType: "branch", RefProtected: strconv.FormatBool(w.Pipeline.Protected),
		SHA: w.Pipeline.Commit.String(), RunnerID: r.ID, RunnerEnvironment: "self-hosted",
	}
	if w.Pipeline.Tag {
		c.RefType = "tag"
	}
	if c.Ref, err = w.sourceBranch(ctx, st); err != nil {
		return c, err
	}
	c.RefPath = map[string]string{"branch": code.Heads, "tag": code.Tags}[c.RefType] + c.Ref
	c.Subject = "project_path:" + c.ProjectPath + ":ref_type:" + c.RefType + ":ref:" + c.Ref
	if w.Pipeline.ConfigSource == nil {
		for _, v := range w.Variables { // the predefined ones are first
			if v.Key == "CI_CONFIG_REF_URI" {
				c.ConfigRefURI, c.ConfigSHA = &v.Value, &c.SHA
				break
			}
		}
	}
	if w.Job.UserID != nil {
		u, err := tree.FindUser(ctx, st, *w.Job.UserID)
		if fault.IgnoreNotFound(err) != nil {
			return c, err
		}
		c.UserID, c.UserLogin, c.UserEmail = id(*w.Job.UserID), u.Username, u.Email
	}
	if w.Job.EnvironmentID != nil && w.Definition.Environment != nil {
		e, err := Environments(st, w.Project.ID).One(ctx, db.ByID(*w.Job.EnvironmentID))
		if err != nil {
			return c, err
		}
		c.Environment, c.DeploymentTier, c.EnvironmentAction = e.Name, e.Tier, w.Definition.Environment.Action
	}
	return c, nil
}

// sourceBranch returns the name of the branch or tag: of a pipeline of a merge request, of its
// source branch.
func (w *Work) sourceBranch(ctx context.Context, st *db.Store) (string, error) {
	if w.Pipeline.MergeRequestID == nil {
		return w.Pipeline.Ref, nil
	}
	byID, err := merge.RequestsByID(ctx, st, []int64{*w.Pipeline.MergeRequestID})
	return byID[*w.Pipeline.MergeRequestID].SourceBranch, err
}

// sign returns a JSON Web Token (RFC 7519) with a signature by RS256.
func sign(key *rsa.PrivateKey, claims idClaims) (string, error) {
	header, err := json.Marshal(map[string]string{"alg": "RS256", "kid": publicKeyOf(key).ID, "typ": "JWT"})
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	signed := base64url(header) + "." + base64url(body)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	return signed + "." + base64url(signature), err
}
