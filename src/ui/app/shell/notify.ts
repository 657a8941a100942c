// Short messages beside the work: what was done, what failed, and the way on.
import type { CSSProperties } from 'react'
import type { ExternalToast } from 'sonner'
import { askForNotices } from './notices-asked.ts'
import styles from './notices.module.css'

export interface Notice {
  /** `info` unless told. */
  readonly tone?: 'ok' | 'fail' | 'info'
  /** One line: what happened. */
  readonly title: string
  /** What it means and what to do about it. */
  readonly detail?: string
  /** The way on, as `Undo` or `Try again`. */
  readonly action?: { readonly label: string; readonly run: () => void }
  /** A notice of the same name is put in the place of the one that is there. */
  readonly id?: string
  /** Milliseconds; a failure stays until it is closed. */
  readonly lasts?: number
  /** Milliseconds in which its action can be done, where somebody else takes it away when they are over. */
  readonly within?: number
}

/** A notice that can be read in passing. */
const SHORT_MS = 4_000
/** One that offers something to do: the hand needs its time. */
const WITH_ACTION_MS = 10_000

const lasting = ({ tone, action, lasts, within }: Notice): number => {
  if (within !== undefined) return Infinity
  if (lasts !== undefined) return lasts
  if (tone === 'fail') return Infinity
  return action ? WITH_ACTION_MS : SHORT_MS
}

/** Where motion is unwelcome, the bar goes by a step so often. */
const BEAT_MS = 1_000

const KINDS = { ok: 'success', fail: 'error', info: 'info' } as const

/**
 * How long there is still time for its action, shown as a bar that runs out. One that only goes by itself rests while
 * it is pointed at, as the bar does then; what somebody else ends does not wait.
 */
const counted = (notice: Notice): ExternalToast => {
  const time = notice.within ?? lasting(notice)
  if (notice.action === undefined || time === Infinity) return {}
  const style = { '--lasts': `${time}ms`, '--beats': `${Math.ceil(time / BEAT_MS)}` } as CSSProperties
  return { className: `${styles.counted} ${notice.within === undefined ? styles.rests : ''}`.trim(), style }
}

/** Shows it; gives back how to take it away. */
export function notify(notice: Notice): () => void {
  askForNotices()
  const shown = show(notice)
  return () => void shown.then(remove => remove?.())
}

/** What is told to the library that shows it. */
export const optionsOf = (notice: Notice): ExternalToast => {
  const { detail, action, id } = notice
  return {
    duration: lasting(notice),
    ...(detail === undefined ? {} : { description: detail }),
    ...(action && { action: { label: action.label, onClick: () => action.run() } }),
    ...(id === undefined ? {} : { id }),
    ...counted(notice),
  }
}

/** What was told before somebody shows notices is shown by then; without it nobody could be told of that either. */
async function show(notice: Notice): Promise<(() => void) | undefined> {
  const { tone = 'info', title } = notice
  const options = optionsOf(notice)
  const sonner = await import('sonner').catch(() => undefined)
  if (!sonner) return undefined
  const shown = sonner.toast[KINDS[tone]](title, options)
  return () => void sonner.toast.dismiss(shown)
}
