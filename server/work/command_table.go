package work

import "maps"

// SharedCommands says how each quick action is run that all things have alike.
func SharedCommands[T Commanded]() map[string]Command[T] {
	return map[string]Command[T]{
		"close":  {May: Editor, Edits: true, Do: setState[T](Opened, Closed, "close", "Closed")},
		"reopen": {May: Editor, Edits: true, Do: setState[T](Closed, Opened, "reopen", "Reopened")},
		"title":  {May: Editor, Edits: true, Do: setTitle[T]},

		"label":   {May: Planner, Edits: true, Do: addLabels[T]},
		"unlabel": {May: Planner, Edits: true, Do: removeLabels[T]},
		"relabel": {May: Planner, Edits: true, Do: replaceLabels[T]},

		"lock":   {May: Planner, Edits: true, Do: setLock[T](true, "Locked the discussion.")},
		"unlock": {May: Planner, Edits: true, Do: setLock[T](false, "Unlocked the discussion.")},

		"todo":        {May: Anybody, Do: askTodo[T]("add", "Added a to-do item.")},
		"done":        {May: Anybody, Do: askTodo[T]("done", "Marked to-do item as done.")},
		"subscribe":   {May: Anybody, Do: subscribe[T](true, "Subscribed to notifications.")},
		"unsubscribe": {May: Anybody, Do: subscribe[T](false, "Unsubscribed from notifications.")},
		"react":       {May: Reactor, Do: react[T]},
	}
}

// ProjectCommands says how each quick action is run that issues and merge requests have alike.
func ProjectCommands[T Commanded]() map[string]Command[T] {
	return map[string]Command[T]{
		"copy_metadata": {May: Planner, Edits: true, Do: copyMetadata[T]},

		"assign":   {May: Planner, Edits: true, Do: assign[T]},
		"unassign": {May: Planner, Edits: true, Do: unassign[T]},
		"reassign": {May: Planner, Edits: true, Do: reassign[T]},

		"milestone":        {May: Planner, Edits: true, Do: setMilestone[T]},
		"remove_milestone": {May: Planner, Edits: true, Do: removeMilestone[T]},

		"estimate":          {May: Planner, Edits: true, Do: setEstimate[T]},
		"remove_estimate":   {May: Planner, Edits: true, Do: removeEstimate[T]},
		"spend":             {May: Planner, Do: spendTime[T]},
		"remove_time_spent": {May: Planner, Do: removeTimeSpent[T]},
	}
}

// linkCommands says how each quick action is run that issues and epics have alike.
func linkCommands[T linked]() map[string]Command[T] {
	return map[string]Command[T]{
		"confidential": {May: Editor, Edits: true, Do: makeConfidential[T]},

		"relate":     {May: Planner, Do: linkCommand[T](RelatesTo, "related to")},
		"blocks":     {May: Planner, Do: linkCommand[T](Blocks, "blocked by")},
		"blocked_by": {May: Planner, Do: linkCommand[T](IsBlockedBy, "blocking")},
		"unlink":     {May: Planner, Do: runUnlink[T]},
	}
}

// JoinCommands returns the commands of all tables; the last table that has one counts.
func JoinCommands[T Commanded](tables ...map[string]Command[T]) map[string]Command[T] {
	all := map[string]Command[T]{}
	for _, table := range tables {
		maps.Copy(all, table)
	}
	return all
}

// issueCommands says how each quick action of issues is run. Those that are missing here cannot be
// applied: there are no pages, timelines, meetings or children of issues yet.
var issueCommands = JoinCommands(SharedCommands[Issue](), linkCommands[Issue](), ProjectCommands[Issue](), ownOfIssues)

// ownOfIssues are the commands that only issues have.
var ownOfIssues = map[string]Command[Issue]{
	"iteration":        {May: Planner, Edits: true, Do: setIteration},
	"remove_iteration": {May: Planner, Edits: true, Do: removeIteration},
	"epic":             {May: Planner, Edits: true, Do: setEpic},
	"remove_epic":      {May: Planner, Edits: true, Do: removeEpic},

	"due":             {May: Planner, Edits: true, Do: setDueDate},
	"remove_due_date": {May: Planner, Edits: true, Do: removeDueDate},

	"duplicate": {May: Planner, Edits: true, Do: markDuplicate},

	"move":    {May: Planner, Do: moveIssue},
	"clone":   {May: Planner, Do: cloneIssue},
	"promote": {May: Planner, Do: promote},

	"create_merge_request": {May: Planner, Do: askRequest},

	"weight":              {May: Planner, Edits: true, Do: setWeight},
	"clear_weight":        {May: Planner, Edits: true, Do: clearWeight},
	"health_status":       {May: Planner, Edits: true, Do: setHealth},
	"clear_health_status": {May: Planner, Edits: true, Do: clearHealth},
	"severity":            {May: Planner, Edits: true, Do: setSeverity},
	"type":                {May: Planner, Edits: true, Do: setType},
	"promote_to_incident": {May: Planner, Edits: true, Do: promoteToIncident},
}

// epicCommands says how each quick action of epics is run.
var epicCommands = JoinCommands(SharedCommands[Epic](), linkCommands[Epic](), ownOfEpics)

// ownOfEpics are the commands that only epics have, and how they run others.
var ownOfEpics = map[string]Command[Epic]{
	"confidential":       {May: Editor, Edits: true, Do: makeEpicConfidential},
	"child_epic":         {May: Planner, Do: addChildEpics},
	"remove_child_epic":  {May: Planner, Do: removeChildEpics},
	"parent_epic":        {May: Planner, Edits: true, Do: setParentEpic},
	"remove_parent_epic": {May: Planner, Edits: true, Do: removeParentEpic},
}
