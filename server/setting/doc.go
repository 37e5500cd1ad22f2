// Package setting reads and writes the application settings and plan limits that the server acts
// on. Names, types and defaults of all application settings are in package schema/catalogue; those
// without a field in [Settings] are only stored and returned.
//
// [Read] answers from a cache, which a notification of Postgres empties when a process changes a
// setting with [Set]. [ReadPlanLimits] and [HoldPlanLimits] read the limits of one plan.
package setting
