package provider

import (
	"net/http"

	"hew/schema"
)

// groupPackageSettings are how the projects of a group keep packages (gaps §16.1). A group without
// settings of its own has those of the nearest group above, so that they exist once or not at all.
// A new block that allows duplicates may end a prohibition of a group above, so that it opens
// something.
func groupPackageSettings() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "group_package_settings",
			Doc: "The package settings of a group: whether its projects may publish a package twice. A group without " +
				"settings has those of the nearest group above that has some. What a new block leaves out is " +
				"copied from there.",
			Collection: inGroup.path("package_settings?include_ancestor_groups=false"),
			Holds:      schema.OneOrNone,
			Match:      schema.ByKey("group"),
			Need:       inGroup.as("Maintainer").need,
			Protects:   true,
			Gated:      true, // few hosts have the endpoint
		},
		Table: []Attr{
			inGroup.ref(),
			Bool("nuget_duplicates_allowed", "Whether a version of a NuGet package can be published again. "+
				"Downloads get the latest file then.", Default(true), OpensIf(true)),
			duplicateException("nuget"),
			Bool("generic_duplicates_allowed", "Whether a file of a generic package can be published again. "+
				"Downloads get the latest file then.", Default(true), OpensIf(true)),
			duplicateException("generic"),
			Bool("nuget_symbol_server_enabled", "Whether debuggers can download the symbol files of NuGet packages.",
				Default(false), OpensIf(true)),
		},
		API: REST{Create: http.MethodPut},
	}
}

// duplicateException returns the row of what can be published again all the same.
func duplicateException(format string) Attr {
	return String(format+"_duplicate_exception_regex",
		"The regular expression of the names and versions that can be published again although "+
			"`"+format+"_duplicates_allowed` is false. It must match the whole name or version. Empty is none.",
		RegexpUpTo(255), OpensFilled)
}
