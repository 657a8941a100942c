// Commands on the place: moving between events, causes, effects and ends, and the query.
import { type ConsoleCommand, useCommands } from './commands/use-commands.ts'

/** Commands that views of the console run by name. */
export type Command =
  | 'next'
  | 'previous'
  | 'nextOfActor'
  | 'previousOfActor'
  | 'cause'
  | 'effect'
  | 'play'
  | 'first'
  | 'end'
  | 'fit'
  | 'filter'
  | 'allSteps'
  | 'help'
  | 'palette'
  | 'layouts'

type CommandText = Pick<ConsoleCommand, 'title' | 'section' | 'keys' | 'words'>

const TEXTS: Readonly<Record<Command, CommandText>> = {
  next: { title: 'Next event in the log', section: 'Move', keys: ['J'], words: 'step forward' },
  previous: { title: 'Previous event', section: 'Move', keys: ['K'], words: 'step back previous' },
  nextOfActor: { title: 'Next event of this actor', section: 'Move', keys: ['Shift+J'] },
  previousOfActor: { title: 'Previous event of this actor', section: 'Move', keys: ['Shift+K'] },
  cause: { title: 'Go to cause', section: 'Move', keys: ['['], words: 'why' },
  effect: { title: 'Go to first effect', section: 'Move', keys: [']'], words: 'led to' },
  first: { title: 'First event', section: 'Move', keys: ['G'], words: 'begin start' },
  end: { title: 'Go to live, or to the end of a file', section: 'Move', keys: ['L'], words: 'now last' },
  play: {
    title: 'Play from here or stop; pause following when live',
    section: 'Time',
    keys: ['Space'],
    words: 'pause',
  },
  fit: { title: 'Fit the chart', section: 'View', keys: ['F'], words: 'zoom all' },
  filter: { title: 'Filter the log', section: 'View', keys: ['/'], words: 'query search' },
  allSteps: {
    title: 'All steps in the log: on or off',
    section: 'View',
    keys: ['H'],
    words: 'fold plumbing every init stop tick',
  },
  palette: { title: 'Console commands', section: 'View', keys: ['Mod+K'], words: 'command palette' },
  layouts: { title: 'Save or edit layouts', section: 'Layout', words: 'view preset' },
  help: { title: 'Keyboard shortcuts', section: 'View', keys: ['?'], words: 'help sheet shortcuts' },
}

export type PlaceHandlers = Readonly<Record<Command, () => void>>

/** Returns the commands to register; those in `disabled` with the reason. */
export const placeCommands = (
  handlers: PlaceHandlers,
  disabled: Readonly<Partial<Record<Command, string>>> = {},
): readonly ConsoleCommand[] =>
  (Object.keys(TEXTS) as Command[]).map(id => ({
    id,
    ...TEXTS[id],
    rank: -1,
    ...(disabled[id] !== undefined && { disabled: disabled[id] }),
    run: handlers[id],
  }))

/** Registers the commands on the place. */
export function usePlaceCommands(
  handlers: PlaceHandlers,
  disabled?: Readonly<Partial<Record<Command, string>>>,
): void {
  useCommands(placeCommands(handlers, disabled))
}
