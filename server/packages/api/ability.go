package api

import "hew/server/policy"

// Who may do what with packages (gaps §11). A deploy token reads as a reporter, publishes as a
// developer and deletes as a maintainer.
var (
	readPackage = policy.Ability{
		Name: "read_package", Min: policy.Reporter, Public: true, Feature: policy.Packages,
	}
	createPackage = policy.Ability{
		Name: "create_package", Min: policy.Developer, Feature: policy.Packages, Writes: true,
	}
	destroyPackage = policy.Ability{
		Name: "destroy_package", Min: policy.Maintainer, Feature: policy.Packages, Writes: true,
	}
	adminPackage = policy.Ability{
		Name: "admin_package", Min: policy.Maintainer, Feature: policy.Packages, Writes: true,
	}
	readPackageRules = policy.Ability{
		Name: "read_package_protection_rules", Min: policy.Maintainer, Feature: policy.Packages,
	}
	readGroupPackages = policy.Ability{
		Name: "read_group_packages", Min: policy.Guest, Public: true, Also: policy.IsInside,
	}
	readGroupSettings  = policy.Ability{Name: "read_group_package_settings", Min: policy.Maintainer}
	adminGroupPackages = policy.Ability{Name: "admin_group_packages", Min: policy.Maintainer, Writes: true}
)

var abilities = []policy.Ability{
	readPackage, createPackage, destroyPackage, adminPackage, readPackageRules, readGroupPackages, readGroupSettings,
	adminGroupPackages,
}
