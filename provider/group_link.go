package provider

import (
	"hew/schema"
	"hew/schema/catalogue"
)

// Links of groups to groups of an LDAP server and of a SAML provider (spec 2 §2.9, gaps
// §3.4). Hosts cannot update a link, so a change recreates it. An LDAP link has no id,
// and the list of a group without links answers 404.
func groupLDAPLink() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "group_ldap_link",
			Doc: "Links a group to an LDAP group, or to the users that an LDAP filter finds: they become " +
				"members of the group. " +
				"Exclusive sets of members keep these members.",
			Collection: "groups/{group}/ldap_group_links",
			Match:      schema.ByKey("cn", "filter").And("provider"),
			Unique:     []schema.Unique{{Attrs: []string{"provider", "cn"}}, {Attrs: []string{"provider", "filter"}}},
			Check:      ExactlyOneOf("cn", "filter"),
			Need:       inGroup.need,
			Gated:      true, // needs a license
		},
		Table: Join([]Attr{
			Reference("group", "group", "The group.", Required, ForceNew),
			String("provider", "The name of the LDAP server on the host, such as ldapmain.", Required, ForceNew,
				Check(NotEmpty)),
			String("cn", "The cn of the LDAP group.", ForceNew, Check(NotEmpty)),
			String("filter", "An LDAP filter that finds the members, instead of cn.", ForceNew, Check(NotEmpty)),
			AccessLevel("group_access", "The access level of the members: "+linkLevels, Required,
				Grants(catalogue.MemberLevels), OpensRising),
		}, customRole()),
		API: REST{
			ID: "cn,filter,provider", ListOnly: true, EmptyIs404: true, Recreate: true,
			Delete: "groups/{group}/ldap_group_links?provider={provider}&cn={cn}&filter={filter}",
		},
	}
}

func groupSAMLLink() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "group_saml_link",
			Doc: "Links a group to a group of a SAML provider: users who sign in with that SAML group " +
				"become members.",
			Collection: "groups/{group}/saml_group_links",
			Match:      schema.ByKey("saml_group_name").And("provider"),
			Unique:     []schema.Unique{{Attrs: []string{"saml_group_name", "provider"}}},
			Need:       inGroup.need,
			Gated:      true, // needs a license
		},
		Table: Join([]Attr{
			Reference("group", "group", "The group.", Required, ForceNew),
			String("saml_group_name", "The name of the SAML group.", Required, ForceNew, Field("name"), Check(NotEmpty),
				MaxLength(255)),
			String("provider", "The SAML provider, if several have a group of that name.", ForceNew, Default("")),
			AccessLevel("access_level", "The access level of the members: "+linkLevels, Required,
				Grants(catalogue.MemberLevels), OpensRising),
		}, customRole()),
		API: REST{
			ID: "name,provider", ListOnly: true, Recreate: true,
			Delete: "groups/{group}/saml_group_links/{saml_group_name}?provider={provider}",
		},
	}
}

const linkLevels = "`minimal_access`, `guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, or a number."

func customRole() []Attr {
	return []Attr{Number("member_role_id", "The id of a custom role based on the access level.",
		Between(1, Unbounded))}
}
