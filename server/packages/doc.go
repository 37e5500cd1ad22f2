// Package packages keeps what projects publish for package managers: versions of packages, and
// their files, which are blobs.
//
// Two formats are known: nuget, whose feed NuGet clients use, and generic, which is any file under
// a name and a version. A format says what names a package ([Identity]); everything else is the
// same for [PublishNuget] and [PublishGeneric]: they hold the package, ask the protection rules and
// the setting of duplicates, and add the file, so that of many who publish a version at once one
// makes it and the others are treated as the settings say.
//
// The content is stored before the transaction that publishes it. If that refuses it, it is swept
// with other content that nothing uses.
package packages
