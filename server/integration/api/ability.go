package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	adminGroupIntegration = policy.Ability{Name: "admin_group_integration", Min: policy.Owner}
	adminIntegration      = policy.Ability{Name: "admin_integration", Min: policy.Maintainer}
	readAlert             = policy.Ability{Name: "read_alert", Min: policy.Developer}
	adminAlerts           = policy.Ability{Name: "admin_alerts", Min: policy.Maintainer}
)

var abilities = []policy.Ability{
	adminGroupIntegration, adminIntegration, readAlert, adminAlerts,
}
