package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them (more-2 §9).
var (
	createPersonal = policy.Ability{Name: "create_personal_snippet", Min: policy.Admins, Also: policy.MayCreateSnippets}
	// readSnippet is the ability to read the snippets of a project, as far as they are not private.
	readSnippet   = policy.Ability{Name: "read_snippet", Min: policy.Guest, Public: true, Feature: policy.Snippets}
	createSnippet = policy.Ability{
		Name: "create_snippet", Min: policy.Reporter, Feature: policy.Snippets, Writes: true,
	}
	// adminSnippet is the ability to change and delete the snippets of others in a project. Authors
	// need createSnippet for their own.
	adminSnippet = policy.Ability{Name: "admin_snippet", Min: policy.Maintainer, Feature: policy.Snippets, Writes: true}

	createNote = policy.Ability{
		Name: "create_snippet_note", Min: policy.Guest, Public: true, Feature: policy.Snippets, Writes: true,
	}
	// the notes of others
	adminNote = policy.Ability{
		Name: "admin_snippet_note", Min: policy.Maintainer, Feature: policy.Snippets, Writes: true,
	}
	awardEmoji = policy.Ability{
		Name: "award_snippet_emoji", Min: policy.Guest, Public: true, Feature: policy.Snippets, Writes: true,
		Hidden: true,
	}
)

var abilities = []policy.Ability{
	createPersonal, readSnippet, createSnippet, adminSnippet, createNote, adminNote, awardEmoji,
}
