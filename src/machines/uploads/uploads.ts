// The uploads: limits how many run at once, forwards the user's commands, and keeps their outcomes.
import { assign, enqueueActions, setup } from 'xstate'
import { draw } from '../backoff.ts'
import type { UploadsCommand } from '../client.ts'
import { withEvent } from '../with-event.ts'
import type { EnvironmentEvent } from '../ports.ts'
import { type Timings, MAX_CONCURRENT_UPLOADS, MAX_OPEN_QUESTIONS } from '../timings.ts'
import type { UploadInfo, UploadReport, UploadCommand, UploadOutcome } from './upload-info.ts'
import { uploadMachine } from './upload.ts'

/**
 * `queued` and `paused` have no actor yet, `settled` no longer has one; `active` uses a slot, `needsInput`
 * waits for the user, `ready` waits for a slot.
 */
export type RowPhase = 'queued' | 'paused' | 'active' | 'needsInput' | 'ready' | 'settled'

export interface UploadRow {
  readonly info: UploadInfo
  readonly phase: RowPhase
  readonly outcome?: UploadOutcome
}

/** By id, oldest first. */
export type UploadRows = Readonly<Record<string, UploadRow>>

const hasActor = ({ phase }: UploadRow): boolean =>
  phase === 'active' || phase === 'needsInput' || phase === 'ready'

/** Ids of the uploads that may continue now; those already started go first. */
function nextUp(rows: UploadRows): readonly string[] {
  const all = Object.values(rows)
  const count = (phase: RowPhase) => all.filter(row => row.phase === phase).length
  const room = MAX_CONCURRENT_UPLOADS - count('active')
  if (room <= 0) return []
  const canStart = count('needsInput') < MAX_OPEN_QUESTIONS
  const waiting = (phase: RowPhase) => all.filter(row => row.phase === phase).map(row => row.info.id)
  return [...waiting('ready'), ...(canStart ? waiting('queued') : [])].slice(0, room)
}

/** Applies a command to an upload without an actor; undefined if the command does not apply. */
function rowAfterCommand(row: UploadRow, command: UploadCommand): UploadRow | undefined {
  const { info, phase, outcome } = row
  const isFailed = outcome?.kind === 'failed'
  switch (command.type) {
    case 'upload.pause':
      return phase === 'queued' ? { info, phase: 'paused' } : undefined
    case 'upload.resume':
      return phase === 'paused' ? { info, phase: 'queued' } : undefined
    case 'upload.cancel': {
      if (phase === 'settled' && !isFailed) return undefined
      const { path, sent, attempts } = outcome ?? { path: info.path, sent: 0, attempts: 0 }
      return { info, phase: 'settled', outcome: { kind: 'canceled', path, sent, attempts } }
    }
    case 'upload.retry':
      if (outcome === undefined || outcome.kind === 'done') return undefined
      return { info: { ...info, path: command.path ?? info.path }, phase: 'queued' }
    case 'upload.answer':
      return undefined
  }
}

type EnvironmentChanged = Extract<EnvironmentEvent, { type: 'environment.changed' }>
type Command = Extract<UploadsCommand, { type: 'upload.command' }>
type PhaseChanged = Extract<UploadReport, { type: 'upload.phaseChanged' }>
type EndedReport = Extract<UploadReport, { type: 'upload.ended' }>

export interface UploadsContext {
  readonly timings: Timings
  readonly seed: number
  readonly online: boolean
  readonly rows: UploadRows
}

const withRow = (rows: UploadRows, row: UploadRow): UploadRows => ({ ...rows, [row.info.id]: row })

export const uploadsMachine = setup({
  types: {
    context: {} as UploadsContext,
    input: {} as { timings: Timings; seed: number },
    events: {} as UploadsCommand | UploadReport | EnvironmentChanged,
  },
  actors: { upload: uploadMachine },
  guards: {
    isUnderWay: ({ context }, { id }: { id: string }) => {
      const row = context.rows[id]
      return row !== undefined && hasActor(row)
    },
    isForAll: (_, { command }: Command) => command.type === 'upload.answer' && command.all === true,
  },
  actions: {
    setOnline: assign((_, { online }: EnvironmentChanged) => ({ online })),
    notifyAll: enqueueActions(({ context, enqueue }, event: EnvironmentChanged) => {
      for (const row of Object.values(context.rows))
        if (hasActor(row)) enqueue.sendTo(`upload.${row.info.id}`, event)
    }),
    /** An upload that is already in the list is kept unchanged. */
    add: assign(({ context }, { uploads }: { uploads: readonly UploadInfo[] }) => {
      const queued = uploads.map((info): [string, UploadRow] => [info.id, { info, phase: 'queued' }])
      const fresh: UploadRows = Object.fromEntries(queued.filter(([id]) => !Object.hasOwn(context.rows, id)))
      return { rows: { ...context.rows, ...fresh } }
    }),
    /** Queued uploads receive the answer, too. */
    answerAll: enqueueActions(({ context, enqueue }, { command }: Command) => {
      if (command.type !== 'upload.answer') return
      const rows = Object.values(context.rows).map(row =>
        row.phase === 'queued' || row.phase === 'paused'
          ? { ...row, info: { ...row.info, onConflict: command.answer } }
          : row,
      )
      enqueue.assign({ rows: Object.fromEntries(rows.map(row => [row.info.id, row])) })
      for (const row of rows) if (row.phase === 'needsInput') enqueue.sendTo(`upload.${row.info.id}`, command)
    }),
    forwardCommand: enqueueActions(({ enqueue }, { id, command }: Command) => {
      if (command.type !== 'upload.retry') enqueue.sendTo(`upload.${id}`, command)
    }),
    applyCommand: enqueueActions(({ context, enqueue }, { id, command }: Command) => {
      const row = context.rows[id]
      const next = row && rowAfterCommand(row, command)
      if (!next) return
      enqueue.assign({ rows: withRow(context.rows, next) })
    }),
    setPhase: assign(({ context: { rows } }, { id, phase }: PhaseChanged) => {
      const row = rows[id]
      return row ? { rows: withRow(rows, { ...row, phase }) } : {}
    }),
    settleUpload: enqueueActions(({ context: { rows }, enqueue }, { id, outcome }: EndedReport) => {
      const row = rows[id]
      if (!row) return
      enqueue.stopChild(`upload.${id}`)
      enqueue.assign({ rows: withRow(rows, { info: row.info, phase: 'settled', outcome }) })
    }),
    removeSettled: assign(({ context }) => ({
      rows: Object.fromEntries(Object.entries(context.rows).filter(([, { phase }]) => phase !== 'settled')),
    })),
    grant: enqueueActions(({ context, enqueue }) => {
      const { timings, online } = context
      let { rows, seed } = context
      for (const id of nextUp(rows)) {
        const row = rows[id]
        if (!row) continue
        rows = withRow(rows, { ...row, phase: 'active' })
        if (row.phase === 'ready') enqueue.sendTo(`upload.${id}`, { type: 'upload.granted' })
        else {
          const randomValue = draw(seed)
          seed = randomValue.seed
          const input = { info: row.info, timings, online, seed: randomValue.value * 2 ** 32 }
          enqueue.spawnChild('upload', { id: `upload.${id}`, input })
        }
      }
      enqueue.assign({ rows, seed })
    }),
  },
}).createMachine({
  id: 'uploads',
  context: ({ input }) => ({ ...input, online: true, rows: {} }),
  on: {
    'environment.changed': { actions: [withEvent('setOnline'), withEvent('notifyAll')] },
    'uploads.add': { actions: [withEvent('add'), 'grant'] },
    'uploads.clear': { actions: 'removeSettled' },
    'upload.command': [
      { guard: withEvent('isForAll'), actions: withEvent('answerAll') },
      { guard: withEvent('isUnderWay'), actions: withEvent('forwardCommand') },
      { actions: [withEvent('applyCommand'), 'grant'] },
    ],
    'upload.phaseChanged': { guard: withEvent('isUnderWay'), actions: [withEvent('setPhase'), 'grant'] },
    'upload.ended': { guard: withEvent('isUnderWay'), actions: [withEvent('settleUpload'), 'grant'] },
  },
})
