package policy

func MayCreateGroups(w Who) bool { return w.CreateGroup && w.ID != 0 && !w.External }

func IsSigned(w Who) bool { return w.ID != 0 }

// IsInside lets a member of one project see the group around it. So it does somebody with minimal
// access see the group that gave it, and nothing in it: the specification is silent on them (spec 2
// §2.1 has no more than the number), they are on its roster, and its lists show it to them as to
// every member.
func IsInside(w Who) bool { return w.Inside > NoAccess }

// IsMemberInside reports whether the user is a member of a project in the group. Such a member may
// read what the group has for the project's work.
func IsMemberInside(w Who) bool { return w.Inside >= Guest }

// creators is who may create, by the word of the group's setting (gaps §3.1). A word that is none
// of these lets nobody in.
var creators = map[string]Level{
	"noone":         nobody,
	"administrator": Admins,
	"owner":         Owner,
	"maintainer":    Maintainer,
	"developer":     Developer,
}

func ProjectCreation(on On) Level  { return creator(on.ProjectCreation, Developer) }
func SubgroupCreation(on On) Level { return creator(on.SubgroupCreation, Maintainer) }

func creator(setting string, standard Level) Level {
	if setting == "" {
		return standard
	}
	if l, ok := creators[setting]; ok {
		return l
	}
	return nobody
}
