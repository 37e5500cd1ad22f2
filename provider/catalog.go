package provider

import (
	"slices"
	"strings"
	"sync"

	"hew/schema"
)

// resources and sources are all kinds there are.
var (
	resources = []*kind{
		&applicationSettings, &instanceRunner, &instanceVariable,
		&group, &groupAccessToken, &groupHook, &groupLabel, &groupMember, &groupMembers, &groupMilestone, &groupPushRule, &groupRunner, &groupShare, &groupVariable,
		&project, &projectAccessToken, &projectHook, &projectLabel, &projectMember, &projectMembers, &projectMilestone, &projectPushRule, &projectRunner, &projectShare, &projectVariable,
		&groupIntegration, &projectIntegration,
		&groupApprovalRule, &projectApprovalRule, &projectApprovalSettings,
		&groupProtectedBranch, &protectedBranch, &protectedTag,
		&topic, &user, &deployKey,
		&alertIntegration, &errorTracking, &errorTrackingKey,
		&groupLDAPLink, &groupSAMLLink, &pushMirror,
	}
	// gated are those that hosts may lack: by their edition or licence, as most of these, by a setting, as what is about
	// errors and alerts, or by their version, as integrations of groups.
	gated = []*kind{
		&groupHook, &groupPushRule, &projectPushRule, &groupApprovalRule, &projectApprovalRule, &projectApprovalSettings,
		&groupProtectedBranch, &groupLDAPLink, &groupSAMLLink, &alertIntegration, &errorTracking, &errorTrackingKey, &groupIntegration,
	}
	sources = []*kind{&settingsSource, &groupSource, &groupsSource, &integrationsSource, &labelsSource, &membersSource, &projectSource, &projectsSource, &runnersSource, &userSource, &usersSource}
)

// index finds a kind by name, and the API behind it. It is put together when it is first asked for: most of the time that a
// command takes which needs no kind would go into it.
var index = sync.OnceValues(func() (schema.Catalog, map[*schema.Kind]*kind) {
	by := map[*schema.Kind]*kind{}
	tables := func(kinds []*kind) []*schema.Kind {
		out := make([]*schema.Kind, len(kinds))
		for i, k := range kinds {
			k.complete()
			out[i], by[&k.Kind] = &k.Kind, k
		}
		return out
	}
	kinds := schema.NewCatalog(tables(resources), tables(sources))
	return kinds.Called(terraform(kinds)...), by
})

// complete fills in what follows from what the kind says of itself.
func (k *kind) complete() {
	k.Example, k.Gated = example(k.file()), slices.Contains(gated, k)
	k.Attrs = make([]schema.Attr, len(k.Table))
	for i := range k.Table {
		k.Table[i].Named = k.names(&k.Table[i])
		k.Attrs[i] = k.Table[i].Attr
	}
	if k.Set != nil {
		return // its elements travel, not itself
	}
	if k.API.Items == "" {
		k.API.Items, _, _ = strings.Cut(k.Collection, "?")
	}
	if k.Holds != schema.Many {
		k.API.Item = k.API.Items
	}
	if k.API.Item == "" && k.API.Items != "" {
		k.API.Item = k.API.Items + "/{id}"
	}
}

// names tells whether objects of the kind are known by an attribute: as the part of their path that is their own, in their
// id, or in the address that they are asked for at.
func (k *kind) names(a *attr) bool {
	if a.Mode == schema.Computed {
		return false
	}
	return k.Tree != nil && k.Tree.Segment == a.Name || slices.Contains(strings.Split(k.API.ID, ","), a.answer()) ||
		strings.Contains(k.API.Item, "{"+a.Name+"}")
}

// file is what the kind's files are called: a source's like its block begins.
func (k *kind) file() string {
	if k.Data != nil {
		return "data_" + k.Name
	}
	return k.Name
}

// Kinds returns the catalogue without a host, so that configuration can be
// checked offline.
func Kinds() schema.Catalog {
	kinds, _ := index()
	return kinds
}
