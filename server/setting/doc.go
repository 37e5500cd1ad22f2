// Package setting reads the settings that this server acts upon: application settings, the limits
// of plans, and the types of the settings of groups that several domains need.
//
// Read is on the way of nearly every request, so the settings are cached. A change is announced to
// all processes with SettingsChanged; should the announcement be lost, settings are at most
// settingsFresh old. Inside a transaction Read sees what the transaction wrote.
//
// The names, types and defaults of all settings are in package catalogue; the routes that change
// them are in the domain instance.
package setting
