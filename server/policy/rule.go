package policy

// MayCreateGroups reports whether the caller may create top-level groups.
func MayCreateGroups(w Who) bool { return w.CreateGroup && w.ID != 0 && !w.External }

// MayCreateSnippets reports whether the caller may create personal snippets.
func MayCreateSnippets(w Who) bool { return w.ID != 0 && !w.External }

// IsSigned reports whether the caller is signed in.
func IsSigned(w Who) bool { return w.ID != 0 }

// IsInside reports whether the caller has a role below the group, or minimal access to it. They see
// the group. The specification has no more than the number of minimal access (spec 2 §2.1): such
// users are listed as members of the group, and its lists show it to them as to every member.
func IsInside(w Who) bool { return w.Inside > NoAccess }

// IsMemberInside reports whether the user is a member of a project in the group. Such a member may
// read what the group has for the project's work.
func IsMemberInside(w Who) bool { return w.Inside >= Guest }

// IsCollaborator reports whether a merge request lets the caller push to a branch of the project.
func IsCollaborator(w Who) bool { return w.Collaborates }

// creators maps the values of a group's creation settings to the level that they demand (gaps
// §3.1). With any other value nobody may create.
var creators = map[string]Level{
	"noone":         nobody,
	"administrator": Admins,
	"owner":         Owner,
	"maintainer":    Maintainer,
	"developer":     Developer,
}

// ProjectCreation returns the level that creates projects in a group.
func ProjectCreation(on On) Level { return creatorLevel(on.ProjectCreation, Developer) }

// SubgroupCreation returns the level that creates subgroups of a group.
func SubgroupCreation(on On) Level { return creatorLevel(on.SubgroupCreation, Maintainer) }

func creatorLevel(setting string, standard Level) Level {
	if setting == "" {
		return standard
	}
	if l, ok := creators[setting]; ok {
		return l
	}
	return nobody
}

// PipelineReader returns the level that reads the pipelines of a project.
func PipelineReader(on On) Level {
	if on.JobsReserved {
		return Reporter
	}
	return Guest
}
