package provider

import "hew/schema"

// Groups bound to groups of an LDAP server and of a SAML provider (spec 2 §2.9,
// gaps §3.4). Hosts cannot change a link: it is removed and made anew. An LDAP
// link has no id, and a group without any is answered with 404.
var (
	groupLDAPLink = Kind{
		Kind: schema.Kind{
			Name: "group_ldap_link",
			Doc: "Binds a group to one of an LDAP server, or to whom a filter finds there: they become members of it. " +
				"Who comes and goes that way is left alone by exclusive members.",
			Collection: "groups/{group}/ldap_group_links",
			Match:      schema.ByKey("cn", "filter").And("provider"),
			Check:      ExactlyOneOf("cn", "filter"),
			Need:       inGroup.need,
			Gated:      true, // by a licence
		},
		Table: Join([]Attr{
			Reference("group", "group", "The group.", Required, ForceNew),
			String("provider", "What the host calls the LDAP server, such as ldapmain.", Required, ForceNew, Check(NotEmpty)),
			String("cn", "The cn of the group there.", ForceNew, Check(NotEmpty)),
			String("filter", "In place of the cn, an LDAP filter that finds the members.", ForceNew, Check(NotEmpty)),
			AccessLevel("group_access", "What its members may do: "+linkLevels, Required, Check(grantable)),
		}, customRole),
		API: REST{
			ID: "cn,filter,provider", ListOnly: true, EmptyIs404: true, Recreate: true,
			Delete: "groups/{group}/ldap_group_links?provider={provider}&cn={cn}&filter={filter}",
		},
	}
	groupSAMLLink = Kind{
		Kind: schema.Kind{
			Name:       "group_saml_link",
			Doc:        "Binds a group to one that a SAML provider tells of: whoever signs in with that becomes a member of it.",
			Collection: "groups/{group}/saml_group_links",
			Match:      schema.ByKey("saml_group_name").And("provider"),
			Need:       inGroup.need,
			Gated:      true, // by a licence
		},
		Table: Join([]Attr{
			Reference("group", "group", "The group.", Required, ForceNew),
			String("saml_group_name", "The name of the group there.", Required, ForceNew, Field("name"), Check(NotEmpty), MaxLength(255)),
			String("provider", "Which provider is meant, where several tell of groups of that name.", ForceNew, Default("")),
			AccessLevel("access_level", "What its members may do: "+linkLevels, Required, Check(grantable)),
		}, customRole),
		API: REST{
			ID: "name,provider", ListOnly: true, Recreate: true,
			Delete: "groups/{group}/saml_group_links/{saml_group_name}?provider={provider}",
		},
	}
)

const linkLevels = "`minimal_access`, `guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, or a number."

var customRole = []Attr{Number("member_role_id", "The id of a custom role that refines the level.", Between(1, Unbounded))}
