// Loads the replay module and starts a sandbox from an event of the recording or of an opened file.
import type { Edit } from '../../../services/replay/index.ts'
import type { ControlHandle, Sandbox } from '../../../services/control/index.ts'
import type { ReplayableTrace, Timeline, TraceSource } from '../../../trace/index.ts'
import type { Details } from '../model/details.ts'
import { isEvent } from './payload.ts'

/** Where a sandbox may branch from. */
export interface BranchPlace {
  readonly timeline: Timeline
  readonly details: Details
  /** The selected view. */
  readonly seq: number
  /** The live recording; while no file is shown, a sandbox takes example events and results from it. */
  readonly source: TraceSource
  readonly systems: ControlHandle['systems']
  /** The shown file; undefined while the recording is shown. */
  readonly file: File | undefined
  /** Returns the shown trace as a file. */
  readonly whole: () => Promise<Blob>
}

/** A running sandbox. */
export interface Begun {
  readonly sandbox: Sandbox
  /** The recording it branched from, which provides example events and results. */
  readonly origin: TraceSource
  readonly systems: ControlHandle['systems']
  /** The view after which it continues. */
  readonly from: { readonly seq: number; readonly type: string }
  /** The file to show again when the sandbox is closed. */
  readonly file: File | undefined
}

/** A change to the stimulus that the sandbox branches from. */
export type Change = { readonly edit: 'drop' | 'change'; readonly event: unknown } | undefined

/**
 * Starts a sandbox after the stimulus with this number.
 * @throws Error when the state there cannot be restored
 */
export async function beginSandbox(place: BranchPlace, stimulus: number, change: Change): Promise<Begun> {
  const { timeline, seq, source, file } = place
  const { createSandbox, readTrace, systems } = await import('../replay-engine.ts').catch(() => {
    throw new Error('The replay module could not be loaded. Reload the page and try again.')
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

/** Returns why a trace cannot be run here, as a sentence. */
export function whyNot(
  { header: { system, appVersion }, tape, keyframes }: ReplayableTrace,
  known: object,
): string | undefined {
  if (Object.hasOwn(known, system)) return undefined
  // Traces from the inspection protocol have no inputs.
  const isTold = appVersion === '' && tape.length === 0 && keyframes.length === 0
  const why = isTold
    ? 'The trace contains inspection events, not the inputs needed to replay them.'
    : 'Machines are code, and recordings contain no code.'
  return `The machines of “${system}” are not available here. ${why} To branch from this trace, open it in the console of that app, attached with Chartroom’s recorder.`
}

function editOf(seq: number, { edit, event }: NonNullable<Change>): Edit {
  if (edit === 'drop') return { edit, seq }
  if (!isEvent(event)) throw new Error('An event needs a type, e.g. {"type": "session.signOut"}')
  return { edit, seq, event }
}
