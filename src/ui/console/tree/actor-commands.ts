// Commands on one actor.
import { shortPath, type Timeline } from '../../../trace/index.ts'
import type { ConsoleCommand } from '../commands/use-commands.ts'
import { withTerm } from '../log/event-commands.ts'
import { stateOf, type Details } from '../model/details.ts'
import type { PlaceAction } from '../model/place.ts'
import { copyJson, copyText } from '../state/clipboard.ts'

export interface ActorPlace {
  readonly timeline: Timeline
  readonly details: Details
  /** The moment. */
  readonly at: number
  readonly query: string
  readonly go: (action: PlaceAction) => void
  readonly pick: (seq: number) => void
}

/** Returns the commands for the actor with this index; none without one. */
export function actorCommands(actor: number, place: ActorPlace): readonly ConsoleCommand[] {
  const { timeline, details, at, query, go, pick } = place
  const entry = timeline.actors[actor]
  if (!entry) return []
  const steps = timeline.stepsOf(actor)
  const [first, last] = [steps[0], steps.at(-1)]
  const name = shortPath(entry)
  const term = `actor:${/\s/.test(name) ? `"${name}"` : name}`
  const never = steps.length === 0 && { disabled: 'it has no events' }
  const ask = (wanted: string) => () => go({ type: 'query', query: withTerm(query, wanted) })
  const notYet = timeline.lastOf(actor, at) < 0 && { disabled: 'not started at this moment' }
  const copyState = () =>
    void stateOf(timeline, details, actor, at).then(step => {
      if (step)
        copyJson({ value: step.value, context: step.context, status: step.status }, `State of ${name}`)
    })
  return [
    {
      id: 'actor.goFirst',
      title: 'Go to its first event',
      section: 'Move',
      ...never,
      run: () => pick(first ?? -1),
    },
    {
      id: 'actor.goLast',
      title: 'Go to its last event',
      section: 'Move',
      ...never,
      run: () => pick(last ?? -1),
    },
    { id: 'actor.showOnly', title: `Only events of ${name}`, section: 'View', run: ask(term) },
    { id: 'actor.showNot', title: `Without events of ${name}`, section: 'View', run: ask(`-${term}`) },
    {
      id: 'actor.copyState',
      title: `Copy the state of ${name} as JSON`,
      section: 'State',
      ...notYet,
      run: copyState,
    },
    {
      id: 'actor.copyPath',
      title: 'Copy its path',
      section: 'State',
      run: () => copyText(entry.path, 'Path'),
    },
  ]
}
