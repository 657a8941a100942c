// The user's chart display options, and their text form for the URL.
import type { Detail } from './chart-text.ts'

/** Around the active states, the whole machine, or whichever fits the pane. */
export const MODES = ['auto', 'focus', 'whole'] as const
export type Mode = (typeof MODES)[number]

export interface ChartMode {
  readonly mode: Mode
  readonly detail: Detail
  /** Whether visit counts are compared. */
  readonly isHeat: boolean
  /** Paths of states drawn without their children; in focus mode, states that are unfolded. */
  readonly folded: ReadonlySet<string>
}

export const START_MODE: ChartMode = { mode: 'auto', detail: 'brief', isHeat: false, folded: new Set() }

/** Writes `whole,full,heat,-path,-path`; '' for the defaults. */
export function writeMode({ mode, detail, isHeat, folded }: ChartMode): string {
  return [
    ...(mode === 'auto' ? [] : [mode]),
    ...(detail === 'full' ? ['full'] : []),
    ...(isHeat ? ['heat'] : []),
    ...[...folded].sort().map(path => `-${path}`),
  ].join(',')
}

/** Parses the text of `writeMode`; unknown words are ignored. */
export function readMode(text: string): ChartMode {
  const words = text.split(',').filter(Boolean)
  return {
    mode: MODES.find(mode => mode !== 'auto' && words.includes(mode)) ?? 'auto',
    detail: words.includes('full') ? 'full' : 'brief',
    isHeat: words.includes('heat'),
    folded: new Set(words.flatMap(word => (word.startsWith('-') ? [word.slice(1)] : []))),
  }
}
