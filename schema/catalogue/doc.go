// Package catalogue holds facts about the API that both sides embed: the client to say offline what
// a host would refuse, the server to refuse it. It is tables, and the functions that read them; it
// knows neither configurations nor requests, and imports nothing of ours.
//
// The application settings are settings.tsv: a key, its type and default, its bounds, and what
// binds it to other keys. [Settings] and [SettingByKey] read it, [Setting.Check] judges one value,
// [CheckSettings] values that go together.
//
// What the secret parts of a hook and its template are held to is in hook.go. The names of colours
// are colours.tsv, which [Colour] reads.
//
// The columns of settings.tsv:
//
//	key       as in the API
//	type      boolean, integer, number, string, datetime, visibility; array(…), object(…), object (any)
//	returned  whether reading shows it; writable: whether it can be given. What cannot is ignored
//	default   as JSON; nothing where nothing is set
//	min, max  of a number; the most characters of a text, the most elements of a list. ">0" is more than 0. An integer
//	          without a max goes up to 2147483647, which is what the public service keeps
//	enum      the values there are, or those of the elements of a list; a text may also be blank
//
// given a switch: who turns it on has to state this key beside it, or to have stated it before. Who
// cannot know of that
//
//	          states it
//	present   a switch: while it is on, this key must not be blank
//	alias     the key that this one is an old or another name of; all else is then that key's
//	secret    kept sealed and never shown
//	rule      a form, by its name in rules (rule.go)
//	doc       what it sets, in one sentence; of another name, that of the key itself
//
// The integrations are integrations.tsv, a row each: the slug, its neutral name (alias), title,
// parameters (! for those it cannot be without) and flags, without the _events that almost all of
// them end in. Rows that begin with @ are sets of parameters or flags that others name. What a
// parameter is says integration_parameters.tsv, once for all integrations but those that a row has
// in its column of; its other columns are as above, and base, for addresses that secrets are sent
// to. [Integrations] and [IntegrationBySlug] read the two, [Parameter.Check] judges one value.
package catalogue
