package definition

import (
	"slices"
	"time"

	"hew/server/ci/document"
	"hew/server/ci/expression"
)

// expressionNames returns the names of the variables that a text refers to.
func expressionNames(text string) []string { return expression.References(text) }

func readRelease(j *Job, e entry) {
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return
	}
	e.keys("tag_name", "tag_message", "name", "description", "ref", "milestones", "released_at", "assets")
	r := &Release{
		TagName: e.field("tag_name").requiredText(), TagMessage: e.field("tag_message").text(),
		Name: e.field("name").text(), Description: e.field("description").requiredText(), Ref: e.field("ref").text(),
		ReleasedAt: e.field("released_at").text(),
	}
	if milestones := e.field("milestones"); milestones.given() {
		r.Milestones = milestones.stringOrStrings()
	}
	if r.ReleasedAt != "" && len(expressionNames(r.ReleasedAt)) == 0 && !isTime(r.ReleasedAt) {
		e.field("released_at").fail("must be a valid datetime")
	}
	if assets := e.sub("assets"); assets.given() {
		r.Assets = assets.releaseAssets()
	}
	j.Options.Release = r
}

// isTime reports whether a text is a time or a day of ISO 8601.
func isTime(text string) bool {
	return slices.ContainsFunc([]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"}, func(layout string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	})
}

func (e entry) releaseAssets() *ReleaseAssets {
	a := &ReleaseAssets{Links: []ReleaseLink{}}
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return a
	}
	e.keys("links")
	links := e.sub("links")
	if !links.is(document.List) || len(links.node.Items) == 0 {
		links.fail("should be an array of hashes")
		return a
	}
	kinds := []string{"other", "runbook", "image", "package"}
	for _, item := range links.node.Items {
		of := links.item(links.location+":link", item)
		if !of.is(document.Map) {
			of.fail("should be a hash")
			continue
		}
		of.keys("name", "url", "filepath", "link_type")
		a.Links = append(a.Links, ReleaseLink{of.field("name").requiredText(), of.field("url").requiredText(),
			of.field("filepath").text(), of.field("link_type").oneOf(shouldBeOneOf(kinds...), kinds...)})
	}
	return a
}

// defaultPublish is the directory of a site.
const defaultPublish = "public"

// noPages is what `pages: false` stores until finishPages.
var noPages = &Pages{}

func readPages(j *Job, e entry) {
	switch {
	case e.is(document.Bool) && e.node.Bool:
		j.Options.Pages = &Pages{Publish: defaultPublish}
	case e.is(document.Bool):
		j.Options.Pages = noPages
	case !e.is(document.Map):
		e.fail("should be a hash or a boolean value")
	default:
		e.keys("publish", "path_prefix", "expire_in")
		j.Options.Pages = &Pages{e.field("publish").text(), e.field("path_prefix").text(), e.field("expire_in").expiry()}
		if j.Options.Pages.Publish == "" {
			j.Options.Pages.Publish = defaultPublish
		}
	}
}

// readPublish reads the older place of pages:publish.
func readPublish(j *Job, e entry) {
	dir := e.text()
	if j.Options.Pages == nil && j.Name == "pages" {
		j.Options.Pages = &Pages{Publish: dir}
		return
	}
	if j.Options.Pages == nil {
		e.fail("can only be used within a `pages` job")
	}
}

// finishPages adds the published directory to the artifacts.
func (c *checker) finishPages(j *Job, e entry) {
	switch {
	case j.Kind == Bridge:
		return
	case j.Options.Pages == noPages:
		j.Options.Pages = nil
		return
	case j.Options.Pages == nil && j.Name != "pages":
		return
	case j.Options.Pages == nil:
		j.Options.Pages = &Pages{Publish: defaultPublish}
	}
	a := Artifacts{}
	if j.Options.Artifacts != nil {
		a = *j.Options.Artifacts
	}
	if !slices.Contains(a.Paths, j.Options.Pages.Publish) {
		a.Paths = append(slices.Clone(a.Paths), j.Options.Pages.Publish)
	}
	j.Options.Artifacts = &a
}

func readIDTokens(j *Job, e entry) {
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return
	}
	for _, given := range e.node.Entries {
		of := e.sub(given.Key)
		if !of.is(document.Map) {
			of.fail("should be a hash")
			continue
		}
		of.keys("aud")
		aud := of.field("aud")
		if !aud.given() {
			of.fail("missing required keys: aud")
			continue
		}
		j.Options.IDTokens = append(j.Options.IDTokens, IDToken{given.Key, aud.stringOrStrings()})
	}
}

func readSecrets(j *Job, e entry) {
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return
	}
	for _, given := range e.node.Entries {
		if of := e.sub(given.Key); !of.is(document.Map) {
			of.fail("should be a hash")
		} else {
			of.keys("vault", "gcp_secret_manager", "azure_key_vault", "akeyless", "gitlab_secrets_manager",
				"aws_secrets_manager", "file", "token")
		}
	}
	j.Options.Secrets = encode(e.node)
}
