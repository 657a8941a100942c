// Loads what a sandbox needs and begins one from an event of what is shown: the recording, or an opened file.
import type { Edit, Sandbox } from '../../../replay.ts'
import type { ReplayableTrace, TraceSource } from '../../../trace/format.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Details } from '../model/details.ts'
import type { DrivePlace } from './drive-panel.tsx'

/** From where it can go on. */
export interface BranchPlace {
  readonly timeline: Timeline
  readonly details: Details
  /** The selected view. */
  readonly seq: number
  /** The live recording; of it, while no file is shown, a sandbox knows events and answers. */
  readonly source: TraceSource
  readonly systems: DrivePlace['systems']
  /** The shown file; nothing while the recording is shown. */
  readonly file: File | undefined
  /** All of what is shown. */
  readonly whole: () => Promise<Blob>
}

/** A sandbox that has begun. */
export interface Begun {
  readonly sandbox: Sandbox
  /** The recording that it is a branch of: what it knows of events and answers comes from there. */
  readonly origin: TraceSource
  readonly systems: DrivePlace['systems']
  /** The view after which it goes on. */
  readonly from: { readonly seq: number; readonly type: string }
  /** The file that is shown again when it is left. */
  readonly file: File | undefined
}

/** What is changed of the stimulus from which it goes on. */
export type Change = { readonly edit: 'drop' | 'change'; readonly event: unknown } | undefined

/**
 * Begins one after the stimulus with this number.
 * @throws Error when it cannot be brought back there
 */
export async function beginSandbox(place: BranchPlace, stimulus: number, change: Change): Promise<Begun> {
  const { timeline, seq, source, file } = place
  const { createSandbox, readTrace, systems } = await import('../../../replay.ts').catch(() => {
    throw new Error('What replays could not be loaded. Load the page again, and try once more.')
  })
  const read = await readTrace(new Uint8Array(await (await place.whole()).arrayBuffer()))
  if (!('trace' in read)) throw new Error(`The recording could not be read: ${read.message}`)
  const known = { ...systems, ...place.systems }
  const refusal = whyNot(read.trace, known)
  if (refusal !== undefined) throw new Error(refusal)
  const edits: Edit[] = change ? [editOf(stimulus, change)] : []
  const sandbox = createSandbox(read.trace, known, { at: stimulus + 1, edits })
  const origin = file ? read.trace : source
  return { sandbox, origin, systems: place.systems, from: { seq, type: timeline.type(seq) }, file }
}

/** Why a trace can't be brought to life here, in a sentence. */
export function whyNot(
  { header: { system, appVersion }, tape, keyframes }: ReplayableTrace,
  known: object,
): string | undefined {
  if (Object.hasOwn(known, system)) return undefined
  // What other apps tell over the inspection protocol.
  const isTold = appVersion === '' && tape.length === 0 && keyframes.length === 0
  const why = isTold
    ? 'It holds what the app told of itself, not what would be needed to repeat it.'
    : 'Its machines are code, which no recording holds.'
  return `The machines of “${system}” are not known here. ${why} Open it in the console beside that app, attached with Chartroom’s recorder, to go on from it.`
}

function editOf(
  seq: number,
  { edit, event }: { readonly edit: 'drop' | 'change'; readonly event: unknown },
): Edit {
  if (edit === 'drop') return { edit, seq }
  const isEvent =
    typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
  if (!isEvent) throw new Error('An event needs a type, e.g. {"type": "session.signOut"}')
  return { edit, seq, event: event as { readonly type: string } }
}
