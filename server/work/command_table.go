package work

// issueCommands says how each quick action of issues is run. Those that are missing here cannot be
// applied: there are no pages, timelines, meetings, merge requests or children of issues yet.
var issueCommands = map[string]command{
	"close":  {may: editor, edits: true, do: setState(Closed, "close", "Closed this issue.")},
	"reopen": {may: editor, edits: true, do: setState(Opened, "reopen", "Reopened this issue.")},
	"title":  {may: editor, edits: true, do: setTitle},

	"label":         {may: planner, edits: true, do: addLabels},
	"unlabel":       {may: planner, edits: true, do: removeLabels},
	"relabel":       {may: planner, edits: true, do: replaceLabels},
	"copy_metadata": {may: planner, edits: true, do: copyMetadata},

	"assign":   {may: planner, edits: true, do: assign},
	"unassign": {may: planner, edits: true, do: unassign},
	"reassign": {may: planner, edits: true, do: reassign},

	"milestone":        {may: planner, edits: true, do: setMilestone},
	"remove_milestone": {may: planner, edits: true, do: removeMilestone},
	"iteration":        {may: planner, edits: true, do: setIteration},
	"remove_iteration": {may: planner, edits: true, do: removeIteration},
	"epic":             {may: planner, edits: true, do: setEpic},
	"remove_epic":      {may: planner, edits: true, do: removeEpic},

	"estimate":          {may: planner, edits: true, do: setEstimate},
	"remove_estimate":   {may: planner, edits: true, do: removeEstimate},
	"spend":             {may: planner, do: spendTime},
	"remove_time_spent": {may: planner, do: removeTimeSpent},
	"due":               {may: planner, edits: true, do: setDueDate},
	"remove_due_date":   {may: planner, edits: true, do: removeDueDate},

	"lock":         {may: planner, edits: true, do: setLock(true, "Locked the discussion.")},
	"unlock":       {may: planner, edits: true, do: setLock(false, "Unlocked the discussion.")},
	"confidential": {may: editor, edits: true, do: makeConfidential},

	"todo":        {may: anybody, do: askTodo("add", "Added a to-do item.")},
	"done":        {may: anybody, do: askTodo("done", "Marked to-do item as done.")},
	"subscribe":   {may: anybody, do: subscribe(true, "Subscribed to notifications.")},
	"unsubscribe": {may: anybody, do: subscribe(false, "Unsubscribed from notifications.")},
	"react":       {may: reactor, do: react},

	"duplicate":  {may: planner, edits: true, do: markDuplicate},
	"relate":     {may: planner, do: linkCommand(RelatesTo, "Added %s as a linked item related to this issue.")},
	"blocks":     {may: planner, do: linkCommand(Blocks, "Added %s as a linked item blocked by this issue.")},
	"blocked_by": {may: planner, do: linkCommand(IsBlockedBy, "Added %s as a linked item blocking this issue.")},
	"unlink":     {may: planner, do: runUnlink},

	"move":    {may: planner, do: moveIssue},
	"clone":   {may: planner, do: cloneIssue},
	"promote": {may: planner, do: promote},

	"weight":              {may: planner, edits: true, do: setWeight},
	"clear_weight":        {may: planner, edits: true, do: clearWeight},
	"health_status":       {may: planner, edits: true, do: setHealth},
	"clear_health_status": {may: planner, edits: true, do: clearHealth},
	"severity":            {may: planner, edits: true, do: setSeverity},
	"type":                {may: planner, edits: true, do: setType},
	"promote_to_incident": {may: planner, edits: true, do: promoteToIncident},
}
