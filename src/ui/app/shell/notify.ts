// Short messages beside the work: what was done, what failed, and the way on.
import type { ExternalToast } from 'sonner'

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
}

/** A notice that can be read in passing. */
const SHORT_MS = 4_000
/** One that offers something to do: the hand needs its time. */
const WITH_ACTION_MS = 10_000

const lasting = ({ tone, action, lasts }: Notice): number => {
  if (lasts !== undefined) return lasts
  if (tone === 'fail') return Infinity
  return action ? WITH_ACTION_MS : SHORT_MS
}

const KINDS = { ok: 'success', fail: 'error', info: 'info' } as const

/** Shows it; gives back how to take it away. */
export function notify(notice: Notice): () => void {
  const shown = show(notice)
  return () => void shown.then(remove => remove?.())
}

/** What shows notices comes with the first page, not before it; without it nobody could be told of that either. */
async function show(notice: Notice): Promise<(() => void) | undefined> {
  const { tone = 'info', title, detail, action, id } = notice
  const options: ExternalToast = {
    duration: lasting(notice),
    ...(detail === undefined ? {} : { description: detail }),
    ...(action && { action: { label: action.label, onClick: () => action.run() } }),
    ...(id === undefined ? {} : { id }),
  }
  const sonner = await import('sonner').catch(() => undefined)
  if (!sonner) return undefined
  const shown = sonner.toast[KINDS[tone]](title, options)
  return () => void sonner.toast.dismiss(shown)
}
