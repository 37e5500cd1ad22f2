package provider

import "hew/schema"

// Groups bound to groups of an LDAP server and of a SAML provider (spec 2 §2.9,
// gaps §3.4). Hosts cannot change a link: it is removed and made anew. An LDAP
// link has no id, and a group without any is answered with 404.
var (
	groupLDAPLink = kind{
		Kind: schema.Kind{
			Name: "group_ldap_link",
			Doc: "Binds a group to one of an LDAP server, or to whom a filter finds there: they become members of it. " +
				"Who comes and goes that way is left alone by exclusive members.",
			Collection: "groups/{group}/ldap_group_links",
			Match:      schema.ByKey("cn", "filter").And("provider"),
			Check:      exactlyOne("cn", "filter"),
			Need:       inGroup.need,
		},
		Table: join([]attr{
			ref("group", "group", "The group.", required, fixed),
			text("provider", "What the host calls the LDAP server, such as ldapmain.", required, fixed, check(notEmpty)),
			text("cn", "The cn of the group there.", fixed, check(notEmpty)),
			text("filter", "In place of the cn, an LDAP filter that finds the members.", fixed, check(notEmpty)),
			level("group_access", "What its members may do: "+linkLevels, required, check(grantable)),
		}, customRole),
		API: rest{
			ID: "cn,filter,provider", Listed: true, Empty: true, NoUpdate: true,
			Delete: "groups/{group}/ldap_group_links?provider={provider}&cn={cn}&filter={filter}",
		},
	}
	groupSAMLLink = kind{
		Kind: schema.Kind{
			Name:       "group_saml_link",
			Doc:        "Binds a group to one that a SAML provider tells of: whoever signs in with that becomes a member of it.",
			Collection: "groups/{group}/saml_group_links",
			Match:      schema.ByKey("saml_group_name").And("provider"),
			Need:       inGroup.need,
		},
		Table: join([]attr{
			ref("group", "group", "The group.", required, fixed),
			text("saml_group_name", "The name of the group there.", required, fixed, column("name"), check(notEmpty), atMost(255)),
			text("provider", "Which provider is meant, where several tell of groups of that name.", fixed, def("")),
			level("access_level", "What its members may do: "+linkLevels, required, check(grantable)),
		}, customRole),
		API: rest{
			ID: "name,provider", Listed: true, NoUpdate: true,
			Delete: "groups/{group}/saml_group_links/{saml_group_name}?provider={provider}",
		},
	}
)

const linkLevels = "`minimal_access`, `guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, or a number."

var customRole = []attr{number("member_role_id", "The id of a custom role that refines the level.", between(1, many))}
