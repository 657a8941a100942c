// Commands on one event: marking, filtering, and copying as text.
import { stepsAsCode } from '../checks/steps-as-code.ts'
import type { ConsoleCommand } from '../commands/use-commands.ts'
import type { Details } from '../model/details.ts'
import { callCommand } from '../network/call-command.ts'
import { nextMark, type Place, type PlaceAction } from '../model/place.ts'
import { shortPath, type Timeline } from '../../../trace/index.ts'
import { copyJson, copyText } from '../state/clipboard.ts'
import { count } from '../text.ts'

export interface EventPlace {
  readonly timeline: Timeline
  readonly details: Details
  readonly place: Place
  readonly go: (action: PlaceAction) => void
}

/** Returns the commands for the event with this number; none without one. */
export function eventCommands(seq: number, at: EventPlace): readonly ConsoleCommand[] {
  if (seq < 0 || seq >= at.timeline.size) return []
  const { timeline, place, go } = at
  const call = callCommand(seq, { timeline, layout: place.layout, go })
  return [call, ...marking(seq, at), ...filtering(seq, at), ...copying(seq, at)]
}

function marking(seq: number, { place, go }: EventPlace): readonly ConsoleCommand[] {
  const section = 'State'
  const { marks } = place
  const next = nextMark(marks)
  const set = (mark: 'a' | 'b') => () => go({ type: 'mark', mark, seq })
  const isMarked = marks.a !== undefined || marks.b !== undefined
  return [
    {
      id: 'mark.next',
      title: `Mark ${next.toUpperCase()} here${next === 'b' ? ', to compare with A' : ''}`,
      section,
      keys: ['M'],
      words: 'compare diff',
      run: set(next),
    },
    { id: 'mark.a', title: 'Mark A here', section, run: set('a') },
    { id: 'mark.b', title: 'Mark B here', section, run: set('b') },
    {
      id: 'mark.clear',
      title: 'Clear marks A and B',
      section,
      keys: ['Shift+M'],
      ...(!isMarked && { disabled: 'none are set' }),
      run: () => {
        go({ type: 'mark', mark: 'a', seq: undefined })
        go({ type: 'mark', mark: 'b', seq: undefined })
      },
    },
  ]
}

function filtering(seq: number, { timeline, place, go }: EventPlace): readonly ConsoleCommand[] {
  const section = 'View'
  const entry = timeline.actors[timeline.actor(seq)]
  const actor = entry ? shortPath(entry) : ''
  const type = timeline.type(seq)
  const ask = (term: string) => () => go({ type: 'query', query: withTerm(place.query, term) })
  return [
    { id: 'filter.actor', title: `Only events of ${actor}`, section, run: ask(termOf('actor', actor)) },
    { id: 'filter.type', title: `Only ${type}`, section, run: ask(termOf('type', type)) },
    { id: 'filter.notType', title: `Without ${type}`, section, run: ask(`-${termOf('type', type)}`) },
    {
      id: 'filter.effects',
      title: `Only effects of #${count(seq)}`,
      section,
      words: 'caused by effects',
      run: ask(`caused-by:#${seq}`),
    },
  ]
}

function copying(seq: number, { timeline, details }: EventPlace): readonly ConsoleCommand[] {
  const section = 'State'
  const cause = timeline.cause(seq)
  const name = `Step #${count(seq)}`
  return [
    {
      id: 'copy.event',
      title: 'Copy the event as JSON',
      section,
      words: 'clipboard payload',
      run: () => void details.record(seq).then(({ event }) => copyJson(event, `Event of #${count(seq)}`)),
    },
    {
      id: 'copy.record',
      title: 'Copy the whole step as JSON',
      section,
      words: 'clipboard record snapshot context',
      run: () => void details.record(seq).then(record => copyJson(record, name)),
    },
    {
      id: 'copy.step',
      title: 'Copy its cause as a test step',
      section,
      words: 'clipboard code vitest',
      ...(cause < 0 && { disabled: 'caused by the start' }),
      run: () =>
        void details
          .stimulus(cause)
          .then(stimulus =>
            copyText(
              stepsAsCode({ actors: [...timeline.actors], stimuli: [stimulus] }, [stimulus.seq]),
              name,
            ),
          ),
    },
  ]
}

const termOf = (key: string, value: string): string => key + (/\s/.test(value) ? `:"${value}"` : `:${value}`)

/** Adds a term to the query unless it is there. */
export function withTerm(query: string, term: string): string {
  const text = query.trim()
  return text === '' ? term : ` ${text} `.includes(` ${term} `) ? text : `${text} ${term}`
}
