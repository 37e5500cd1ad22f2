package load

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"hew/server/project"
	"hew/server/transfer/archive"
	"hew/server/tree"
)

// change sets settings of the project. It returns what is not valid of them, and stores nothing
// then.
func (b *batch) change(ctx context.Context, do func(*tree.Project)) error {
	p, err := tree.HoldProject(ctx, b.st, b.project.ID)
	if err != nil {
		return err
	}
	do(&p)
	if err := project.CheckSettings(p); err != nil {
		return err
	}
	return b.st.Update(ctx, "projects", p)
}

// set sets the settings of the project that the documents name.
func set[T any](ctx context.Context, b *batch, documents []Document, of func(*T) attributes) error {
	a := attributes{}
	err := each(b, documents, func(_ Document, value *T) error {
		for name, v := range of(value) {
			a[name] = v
		}
		return nil
	})
	if err != nil || len(a) == 0 {
		return err
	}
	return b.change(ctx, func(p *tree.Project) { a.into(&p.Settings) })
}

// maybePublic are the features that also people without access to the project may use.
var maybePublic = map[string]bool{"pages_access_level": true, "package_registry_access_level": true}

// storeFeatures stores who may use the features of the project.
func storeFeatures(ctx context.Context, b *batch, documents []Document) error {
	return set(ctx, b, documents, func(f *archive.ProjectFeature) attributes {
		a := attributes{}
		for name, level := range f.Levels {
			word, ok := levelWord(name, json.RawMessage(strconv.Itoa(level)))
			if !ok {
				continue
			}
			if level == archive.FeaturePublic && !maybePublic[name] {
				word = json.RawMessage(`"enabled"`)
			}
			a[name] = word
		}
		return a
	})
}

// storeCICDSettings stores settings of pipelines.
func storeCICDSettings(ctx context.Context, b *batch, documents []Document) error {
	return set(ctx, b, documents, func(c *archive.CICDSettings) attributes {
		a := attributes{}
		for name, value := range map[string]*bool{
			"group_runners_enabled": c.GroupRunnersEnabled, "merge_pipelines_enabled": c.MergePipelines,
			"merge_trains_enabled": c.MergeTrains,
		} {
			if value != nil {
				a[name] = json.RawMessage(fmt.Sprint(*value))
			}
		}
		return a
	})
}

// storeAutoDevops stores settings of pipelines without a definition.
func storeAutoDevops(ctx context.Context, b *batch, documents []Document) error {
	return set(ctx, b, documents, func(d *archive.AutoDevops) attributes {
		a := attributes{}
		if d.Enabled != nil {
			a["auto_devops_enabled"] = json.RawMessage(fmt.Sprint(*d.Enabled))
		}
		word := string(d.DeployStrategy)
		if i, err := strconv.Atoi(word); err == nil && i >= 0 && i < 3 {
			word = []string{"continuous", "manual", "timed_incremental"}[i]
		}
		if w := oneOf(word, nil, "continuous", "manual", "timed_incremental"); w != nil {
			a["auto_devops_deploy_strategy"] = json.RawMessage(strconv.Quote(word))
		}
		return a
	})
}

// storeExpirationPolicy stores which images of containers go.
func storeExpirationPolicy(ctx context.Context, b *batch, documents []Document) error {
	return each(b, documents, func(_ Document, e *archive.ContainerExpirationPolicy) error {
		b.after = append(b.after, func(ctx context.Context) error {
			return b.change(ctx, func(p *tree.Project) {
				was := p.Settings.ContainerExpirationPolicy
				p.Settings.ContainerExpirationPolicy = tree.ExpirationPolicy{
					Enabled: e.Enabled,
					Cadence: oneOf(e.Cadence, was.Cadence, "1d", "7d", "14d", "1month", "3month").(string),
					KeepN:   e.KeepN, OlderThan: e.OlderThan, NameRegex: e.NameRegex, NameRegexKeep: e.NameRegexKeep,
				}
			})
		})
		return nil
	})
}

// storeErrorTracking stores whether errors of what the project runs are collected here. Another
// service would need its token, which archives lack.
func storeErrorTracking(_ context.Context, b *batch, documents []Document) error {
	return each(b, documents, func(_ Document, e *archive.ErrorTrackingSetting) error {
		integrated := e.Integrated != nil && *e.Integrated
		if !integrated && e.APIURL != nil && *e.APIURL != "" {
			return invalid("api_url: the token of the other service is not in archives; set it up again")
		}
		b.add("error_tracking", row{
			"project_id": b.project.ID, "active": e.Enabled != nil && *e.Enabled, "integrated": integrated,
			"created_at": now(), "updated_at": now(),
		})
		return nil
	})
}

// storeCustomAttributes stores custom attributes, which only administrators may set.
func storeCustomAttributes(ctx context.Context, b *batch, documents []Document) error {
	all := map[string]string{}
	err := each(b, documents, func(_ Document, c *archive.CustomAttribute) error {
		if c.Key != "" && len(c.Key) <= 255 {
			all[strings.ReplaceAll(c.Key, "\x00", "")] = strings.ReplaceAll(c.Value, "\x00", "")
		}
		return nil
	})
	if err != nil || len(all) == 0 || !b.Importer.Admin {
		return err
	}
	return b.change(ctx, func(p *tree.Project) {
		if p.CustomAttributes == nil {
			p.CustomAttributes = map[string]string{}
		}
		for key, value := range all {
			p.CustomAttributes[key] = value
		}
	})
}
