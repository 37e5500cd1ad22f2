package policy

// Roles are the levels that a member may have, in words.
var Roles = map[Level]string{
	Minimal: "Minimal Access", Guest: "Guest", 15: "Planner", Reporter: "Reporter",
	Developer: "Developer", Maintainer: "Maintainer", Owner: "Owner",
}
