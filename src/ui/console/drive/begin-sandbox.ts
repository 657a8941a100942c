// Loads what a sandbox needs and begins one from an event of the recording.
import type { Edit, Sandbox } from '../../../replay.ts'
import type { TraceSource, ViewRecord } from '../../../trace/format.ts'
import type { DrivePlace } from './drive-panel.tsx'

/** A sandbox that has begun. */
export interface Begun {
  readonly sandbox: Sandbox
  /** The recording that it is a branch of: what it knows of events and answers comes from there. */
  readonly origin: TraceSource
  readonly systems: DrivePlace['systems']
  /** The view after which it goes on. */
  readonly from: ViewRecord
}

/**
 * Begins one after the stimulus with this number.
 * @throws Error when it cannot be brought back there
 */
export async function beginSandbox(
  { download, source, systems: own }: Pick<DrivePlace, 'download' | 'source' | 'systems'>,
  from: ViewRecord,
  seq: number,
  change: { readonly edit: 'drop' | 'change'; readonly event: unknown } | undefined,
): Promise<Begun> {
  const { createSandbox, readTrace, systems } = await import('../../../replay.ts')
  const file = await download()
  const read = await readTrace(new Uint8Array(await file.arrayBuffer()))
  if (!('trace' in read)) throw new Error('The recording could not be read')
  const edits: Edit[] = change ? [editOf(seq, change)] : []
  const sandbox = createSandbox(read.trace, { ...systems, ...own }, { at: seq + 1, edits })
  return { sandbox, origin: source, systems: own, from }
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
