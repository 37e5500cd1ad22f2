package api

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"hew/server/fault"
	"hew/server/packages/nuget"
	"hew/server/rest"
)

// latestVersion stands for the newest version in addresses of version 2 (gaps §11).
const (
	latestVersion      = "latest"
	placeholderVersion = "0.0.0-latest-version" // of an entry that is about no version in particular
)

// serviceDocument is that of the Atom publishing protocol, by which clients know a feed of version
// 2 (spec 1 §4.1).
func (feed) serviceDocument(_ context.Context, s source, _ rest.None) (rest.Raw, error) {
	type collection struct {
		Href  string `xml:"href,attr"`
		Title string `xml:"atom:title"`
	}
	type workspace struct {
		Title      string     `xml:"atom:title"`
		Collection collection `xml:"collection"`
	}
	return xmlAnswer(struct {
		XMLName   xml.Name  `xml:"service"`
		NS        string    `xml:"xmlns,attr"`
		Atom      string    `xml:"xmlns:atom,attr"`
		Base      string    `xml:"xml:base,attr"`
		Workspace workspace `xml:"workspace"`
	}{
		NS: "http://www.w3.org/2007/app", Atom: "http://www.w3.org/2005/Atom", Base: s.base + "/v2",
		Workspace: workspace{"Default", collection{"Packages", "Packages"}},
	})
}

// xmlAnswer returns the answer with a document.
func xmlAnswer(document any) (rest.Raw, error) {
	text, err := xml.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, err
	}
	// Clients refuse a content with an address unless it is written as an empty element.
	short := strings.Replace(string(text), "></content>", "/>", 1)
	return xmlText(xml.Header + short + "\n"), nil
}

func xmlText(text string) rest.Raw {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xml; charset=utf-8")
		_, _ = w.Write([]byte(text)) // fails only if the client has gone
	})
}

// schemaText describes the entries of version 2 to clients, which read it before they ask.
const schemaText = xml.Header + `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices m:DataServiceVersion="2.0" m:MaxDataServiceVersion="2.0"
      xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
    <Schema Namespace="NuGetGallery.OData" xmlns="http://schemas.microsoft.com/ado/2006/04/edm">
      <EntityType Name="V2FeedPackage" m:HasStream="true">
        <Key>
          <PropertyRef Name="Id"/>
          <PropertyRef Name="Version"/>
        </Key>
        <Property Name="Id" Type="Edm.String" Nullable="false"/>
        <Property Name="Version" Type="Edm.String" Nullable="false"/>
        <Property Name="Authors" Type="Edm.String"/>
        <Property Name="Dependencies" Type="Edm.String"/>
        <Property Name="Description" Type="Edm.String"/>
        <Property Name="DownloadCount" Type="Edm.Int64" Nullable="false"/>
        <Property Name="IconUrl" Type="Edm.String"/>
        <Property Name="Published" Type="Edm.DateTime" Nullable="false"/>
        <Property Name="ProjectUrl" Type="Edm.String"/>
        <Property Name="Tags" Type="Edm.String"/>
        <Property Name="Title" Type="Edm.String"/>
        <Property Name="LicenseUrl" Type="Edm.String"/>
      </EntityType>
    </Schema>
    <Schema Namespace="NuGetGallery" xmlns="http://schemas.microsoft.com/ado/2006/04/edm">
      <EntityContainer Name="V2FeedContext" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Packages" EntityType="NuGetGallery.OData.V2FeedPackage"/>
        <FunctionImport Name="FindPackagesById" ReturnType="Collection(NuGetGallery.OData.V2FeedPackage)"
            EntitySet="Packages">
          <Parameter Name="id" Type="Edm.String" FixedLength="false" Unicode="false"/>
        </FunctionImport>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>
`

// describe answers with the schema of version 2.
func (feed) describe(context.Context, source, rest.None) (rest.Raw, error) {
	return xmlText(schemaText), nil
}

// The addresses of entries: a function with a name, a filter by name, or the key of one version.
var (
	entryKey   = regexp.MustCompile(`\APackages\(Id='([^']*)',Version='([^']*)'\)\z`)
	nameFilter = regexp.MustCompile(`\A\(?tolower\(Id\) eq '([^']*)'\)?(?: .*)?\z`)
)

type entryQuery struct {
	Operation string `param:"operation"`
	Filter    string `param:"$filter"`
}

// entries answers with the entry of a package. It does not look whether there is such a package:
// the download does (gaps §11).
func (feed) entries(_ context.Context, s source, in entryQuery) (rest.Raw, error) {
	name, version := "", ""
	switch key := entryKey.FindStringSubmatch(in.Operation); {
	case key != nil:
		name, version = key[1], key[2]
	case in.Operation == "FindPackagesById()":
		name = strings.Trim(s.queryID, "'")
	case in.Operation == "Packages()":
		if m := nameFilter.FindStringSubmatch(in.Filter); m != nil {
			name = m[1]
		}
	default:
		return nil, fault.NotFound("")
	}
	if !nuget.ValidName(name) {
		return nil, fault.Param("package_name is invalid")
	}
	if _, ok := nuget.LookupVersion(version); version != "" && !ok {
		return nil, fault.Param("package_version is invalid")
	}
	return xmlAnswer(s.entry(name, version))
}

type entryView struct {
	XMLName    xml.Name        `xml:"entry"`
	NS         string          `xml:"xmlns,attr"`
	Data       string          `xml:"xmlns:d,attr"`
	Meta       string          `xml:"xmlns:m,attr"`
	Base       string          `xml:"xml:base,attr"`
	ID         string          `xml:"id"`
	Category   entryCategory   `xml:"category"`
	Title      entryTitle      `xml:"title"`
	Content    entryContent    `xml:"content"`
	Properties entryProperties `xml:"m:properties"`
}

type entryCategory struct {
	Term   string `xml:"term,attr"`
	Scheme string `xml:"scheme,attr"`
}

type entryTitle struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

type entryContent struct {
	Type string `xml:"type,attr"`
	Src  string `xml:"src,attr"`
}

type entryProperties struct {
	Version string `xml:"d:Version"`
}

// entry shows a version of a package, or the newest one if the version is empty.
func (s source) entry(name, version string) entryView {
	at, shown := version, version
	if version == "" {
		at, shown = latestVersion, placeholderVersion
	}
	return entryView{
		NS: "http://www.w3.org/2005/Atom", Data: "http://schemas.microsoft.com/ado/2007/08/dataservices",
		Meta: "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata", Base: s.base + "/v2",
		ID: fmt.Sprintf("%s/v2/Packages(Id='%s',Version='%s')", s.base, name, shown),
		Category: entryCategory{
			"NuGetGallery.OData.V2FeedPackage", "http://schemas.microsoft.com/ado/2007/08/dataservices/scheme",
		},
		Title: entryTitle{"text", name},
		Content: entryContent{
			"application/zip", s.base + "/v2/download/" + url.PathEscape(name) + "/" + url.PathEscape(at),
		},
		Properties: entryProperties{shown},
	}
}
