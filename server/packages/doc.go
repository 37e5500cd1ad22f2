// Package packages keeps what projects publish for package managers: versions of packages, and
// their files, which are blobs.
//
// Two formats are known: nuget, whose feed clients of .NET use, and generic, which is any file
// under a name and a version. A format says what names a package ([Identity]); everything else is
// the same for both: [Publish] holds the package, asks the protection rules and the setting of
// duplicates, and adds the file, so that of many who publish a version at once one makes it and the
// others are treated as the settings say.
//
// The content is stored before the transaction that publishes it. What is refused afterwards is
// swept with other content that nothing uses.
package packages
