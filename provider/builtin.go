package provider

import "slices"

// builtin returns the kinds of this package, each with its example.
func builtin() []Kind {
	declared := slices.Concat(resources(), sources())
	kinds := make([]Kind, len(declared))
	for i, declare := range declared {
		kinds[i] = declare()
		kinds[i].Example = example(kinds[i].exampleName())
	}
	return kinds
}

// resources returns the declarations of resources. They are functions, so that a program that needs
// no kinds, such as hew version, builds none.
func resources() []func() Kind {
	return []func() Kind{
		applicationSettings, instanceRunner, instanceVariable,
		group, groupAccessToken, groupDeployToken, groupHook, groupLabel, groupMember, groupMembers, groupMilestone,
		groupPushRule, groupRunner, groupShare, groupVariable,
		project, projectAccessToken, projectDeployToken, projectHook, projectLabel, projectMember, projectMembers,
		projectMilestone, projectPushRule, projectRunner, projectShare, projectVariable,
		groupIntegration, projectIntegration,
		groupApprovalRule, projectApprovalRule, projectApprovalSettings,
		groupProtectedBranch, protectedBranch, protectedTag,
		environment, pipelineSchedule, pipelineTrigger, projectJobTokenScope,
		groupPackageSettings, packageProtectionRule,
		topic, user, deployKey, systemHook,
		alertIntegration, errorTracking, errorTrackingKey,
		groupLDAPLink, groupSAMLLink, pushMirror,
	}
}

// sources returns the declarations of data sources.
func sources() []func() Kind {
	return []func() Kind{
		settingsSource, groupSource, groupsSource, integrationsSource, labelsSource, membersSource, milestonesSource,
		projectSource, projectsSource, runnersSource, userSource, usersSource,
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
