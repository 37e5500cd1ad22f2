package provider

import "slices"

// builtin returns the kinds of this package, each with its example.
func builtin() []Kind {
	kinds := slices.Concat(resources(), sources())
	for i := range kinds {
		kinds[i].Example = example(kinds[i].exampleName())
	}
	return kinds
}

func resources() []Kind {
	return []Kind{
		applicationSettings, instanceRunner, instanceVariable,
		group, groupAccessToken, groupHook, groupLabel, groupMember, groupMembers, groupMilestone, groupPushRule,
		groupRunner, groupShare, groupVariable,
		project, projectAccessToken, projectHook, projectLabel, projectMember, projectMembers, projectMilestone,
		projectPushRule, projectRunner, projectShare, projectVariable,
		groupIntegration, projectIntegration,
		groupApprovalRule, projectApprovalRule, projectApprovalSettings,
		groupProtectedBranch, protectedBranch, protectedTag,
		topic, user, deployKey, systemHook,
		alertIntegration, errorTracking, errorTrackingKey,
		groupLDAPLink, groupSAMLLink, pushMirror,
	}
}

func sources() []Kind {
	return []Kind{
		settingsSource, groupSource, groupsSource, integrationsSource, labelsSource, membersSource, projectSource,
		projectsSource, runnersSource, userSource, usersSource,
	}
}

// exampleName returns the name of the kind's example without its extension: that
// of a source begins like its block.
func (k *Kind) exampleName() string {
	if k.Data != nil {
		return "data_" + k.Name
	}
	return k.Name
}
