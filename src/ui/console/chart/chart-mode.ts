// What of a chart is drawn, as the user chose it, and as text for the URL.
import type { Detail } from './chart-words.ts'

/** Around the active states, the whole machine, or whichever suits the pane. */
export const MODES = ['auto', 'focus', 'whole'] as const
export type Mode = (typeof MODES)[number]

export interface ChartMode {
  readonly mode: Mode
  readonly detail: Detail
  /** Whether visits are compared. */
  readonly isHeat: boolean
  /** Paths of states that are drawn without those in them; in focus, of those that are not left folded. */
  readonly folded: ReadonlySet<string>
}

export const START_MODE: ChartMode = { mode: 'auto', detail: 'brief', isHeat: false, folded: new Set() }

/** `whole,full,heat,-path,-path`; '' for what is so at the start. */
export function writeMode({ mode, detail, isHeat, folded }: ChartMode): string {
  return [
    ...(mode === 'auto' ? [] : [mode]),
    ...(detail === 'full' ? ['full'] : []),
    ...(isHeat ? ['heat'] : []),
    ...[...folded].sort().map(path => `-${path}`),
  ].join(',')
}

/** Reads what `writeMode` wrote; words that say nothing are passed over. */
export function readMode(text: string): ChartMode {
  const words = text.split(',').filter(Boolean)
  return {
    mode: MODES.find(mode => mode !== 'auto' && words.includes(mode)) ?? 'auto',
    detail: words.includes('full') ? 'full' : 'brief',
    isHeat: words.includes('heat'),
    folded: new Set(words.flatMap(word => (word.startsWith('-') ? [word.slice(1)] : []))),
  }
}
