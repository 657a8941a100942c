// Short notices: what was done, what failed, and what to do next.
import type { CSSProperties } from 'react'
import type { ExternalToast } from 'sonner'
import { askForNotices, hasNotices } from './notices-asked.ts'
import styles from './notices.module.css'

export interface Notice {
  /** Defaults to `info`. */
  readonly tone?: 'ok' | 'fail' | 'info'
  /** One line: what happened. */
  readonly title: string
  /** What it means and what to do about it. */
  readonly detail?: string
  /** Next step, such as `Undo` or `Try again`. */
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Replaces a visible notice with the same id. */
  readonly id?: string
  /** Duration in milliseconds; failures stay until closed. */
  readonly lasts?: number
  /** Time in milliseconds for its action, if the caller removes the notice afterwards. */
  readonly within?: number
}

/** Notices without an action. */
const SHORT_MS = 4_000
/** Notices with an action, which users need time to reach. */
const WITH_ACTION_MS = 10_000

const lasting = ({ tone, action, lasts, within }: Notice): number => {
  if (within !== undefined) return Infinity
  if (lasts !== undefined) return lasts
  if (tone === 'fail') return Infinity
  return action ? WITH_ACTION_MS : SHORT_MS
}

/** With reduced motion, the bar moves in steps of this length. */
const BEAT_MS = 1_000

const KINDS = { ok: 'success', fail: 'error', info: 'info' } as const

/**
 * Shows the remaining time for the action as a bar. A notice with its own timeout pauses while the pointer is
 * over it, as does its bar; one that the caller removes does not pause.
 */
const counted = (notice: Notice): ExternalToast => {
  const time = notice.within ?? lasting(notice)
  if (notice.action === undefined || time === Infinity) return {}
  const style = { '--lasts': `${time}ms`, '--beats': `${Math.ceil(time / BEAT_MS)}` } as CSSProperties
  return { className: `${styles.counted} ${notice.within === undefined ? styles.rests : ''}`.trim(), style }
}

/** Shows a notice; returns a function that removes it. */
export function notify(notice: Notice): () => void {
  askForNotices()
  const shown = show(notice)
  return () => void shown.then(remove => remove?.())
}

/** Removes all notices, such as when the user they were for has signed out. */
export async function clearNotices(): Promise<void> {
  if (!hasNotices()) return
  const sonner = await import('sonner').catch(() => undefined)
  sonner?.toast.dismiss()
}

/** Options for the toast library. */
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

/** Notices sent before the toast library has loaded are shown then; if it fails to load, they are dropped. */
async function show(notice: Notice): Promise<(() => void) | undefined> {
  const { tone = 'info', title } = notice
  const options = optionsOf(notice)
  const sonner = await import('sonner').catch(() => undefined)
  if (!sonner) return undefined
  const shown = sonner.toast[KINDS[tone]](title, options)
  return () => void sonner.toast.dismiss(shown)
}
