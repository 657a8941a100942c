// Formats the result of a drive: the first difference, then everything that did not fit.
import { describeDivergence, type DriveReport } from '../public/replay.ts'
import { stateText, timeInWords } from '../trace/index.ts'
import type { Finding } from './each-file.ts'

type Driven = Exclude<DriveReport, { outcome: 'unusable' }>

/** Changed machines may behave differently; a difference is a finding, not an error. */
export function describeDrive(report: DriveReport, hint: readonly string[]): Finding {
  const { outcome, stimuli } = report
  if (outcome === 'unusable') return { code: 2, outcome, lines: [report.reason, ...hint], json: report }
  const lines = [
    `${report.placed} of ${stimuli} stimuli applied`,
    ...(outcome === 'unverified' ? ['no steps compared: the trace was recorded without steps'] : []),
    ...(report.first ? describeDivergence(report.first) : []),
    ...restOf(report),
  ]
  const message = report.first ? `first difference at step ${report.first.index}` : (lines[0] ?? '')
  return { code: outcome === 'same' ? 0 : 1, outcome, lines, message, json: report }
}

function restOf({ later, unplaced, waits, unrecorded, delays, impossible, final }: Driven): string[] {
  const others = final.filter(({ isSame }) => !isSame)
  return [
    ...section('states that differ', later, ({ actor, from, until, was, is }) => {
      const when = until === undefined ? `from stimulus ${from} on` : `from stimulus ${from} to ${until}`
      return `${actor} ${other(was, is)}, ${when}`
    }),
    ...section('not applied', unplaced, ({ seq, kind, to, why }) => `#${seq} ${kind} to ${to}: ${why}`),
    ...section(
      'waits',
      waits,
      ({ actor, src, since }) =>
        `${actor} waits since stimulus ${since} for a result of ${src} that was never recorded`,
    ),
    ...section(
      'not recorded',
      unrecorded,
      ({ t, actor, event }) => `${timeInWords(t)}: ${actor} triggered ${event}`,
    ),
    ...section(
      'other delays',
      delays,
      ({ seq, actor, event, was, is }) => `#${seq} ${actor} ${event}: ${was} ms recorded, ${is} ms now`,
    ),
    ...impossible,
    ...(others.length === 0 ? [] : ['final differences']),
    ...others.map(({ actor, was, is }) => `  ${actor} ${other(was, is)}`),
  ]
}

function section<T>(
  title: string,
  { items, more }: { readonly items: readonly T[]; readonly more: number },
  describe: (item: T) => string,
): string[] {
  if (items.length === 0) return []
  const shown = items.slice(0, SHOWN)
  const left = more + items.length - shown.length
  return [title, ...shown.map(item => `  ${describe(item)}`), ...(left > 0 ? [`  and ${left} more`] : [])]
}

/** `--json` prints all items of the report. */
const SHOWN = 10

type State = NonNullable<Driven['final'][number]['was'] | Driven['later']['items'][number]['was']>

function other(was: State | undefined, is: State | undefined): string {
  const [before, after] = [was, is].map(state => (state ? stateOf(state) : 'absent'))
  return before === after ? `is ${after} in both, with a different context` : `was ${before}, is ${after}`
}

function stateOf(state: State): string {
  const value = 'event' in state ? state.state : state.value
  const text = stateText(value)
  return [text, ...(state.status === 'active' && text !== '' ? [] : [state.status])]
    .filter(Boolean)
    .join(', ')
}
