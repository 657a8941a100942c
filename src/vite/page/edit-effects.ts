// The effects of edit and replay: imports the new version of a saved module, drives the recordings of the page, and
// applies it.
import {
  type Captured,
  captured,
  applyEdit,
  type DrivenEdit,
  driveSystems,
  type EditedSystem,
  EditRefused,
  type EditVerdict,
  type Exports,
  type MachinePair,
  prepareEdit,
  type PreparedEdit,
  verdictOf,
} from '../../services/control/edit-replay/edit-replay.ts'
import { attachedRecording } from '../../services/recording/index.ts'
import { machinesOfModule, startMachine } from '../../services/runtime/index.ts'
import { messageOf, type ReplayableTrace } from '../../trace/index.ts'
import {
  type DriveProgress,
  editReplayMachine,
  type SavedModule,
} from '../../machines/console/edit-replay.ts'
import type { ConsoleEdits, EditState, SystemVerdict } from '../../ui/console/edits/edits.ts'

/** Edit and replay of a page. */
export interface EditReplay extends Omit<ConsoleEdits, 'subscribe'> {
  /** Call this as soon as the server reports a saved module, before it is updated. */
  readonly saved: (module: SavedModule) => void
}

export interface EditReplayOptions {
  /** Imports a module of the app. */
  readonly load: (url: string) => Promise<unknown>
  /** Returns the running systems. */
  readonly systems: () => readonly EditedSystem[]
  /** Requests the usual update of a file. */
  readonly update: (file: string) => void
  readonly onChange: () => void
}

const NO_VERDICTS: readonly SystemVerdict[] = []

/** Starts the machine. */
export function createEditReplay({ load, systems, update, onChange }: EditReplayOptions): EditReplay {
  let recordings: readonly Captured[] = []
  let prepared: PreparedEdit | undefined
  /** Machines of the module before the update, by key. */
  let before: ReturnType<typeof machinesOfModule> = new Map()
  let driven: readonly DrivenEdit[] = []
  let verdicts = NO_VERDICTS
  let state: EditState | undefined
  const pairsOf = ({ source = '' }: SavedModule): MachinePair[] =>
    [...machinesOfModule(source)].flatMap(([key, next]) => {
      const old = before.get(key)
      return old && old !== next ? [[old, next]] : []
    })
  const refused = (error: unknown) =>
    ({
      type: 'edit.refused',
      message: error instanceof EditRefused ? error.message : `${messageOf(error)}.`,
      needsUpdate: error instanceof EditRefused && error.needsUpdate,
    }) as const
  /** Runs while its state is active; then nothing is sent. */
  const running = (work: (signal: AbortSignal) => Promise<void>, onError: (error: unknown) => void) => {
    const ending = new AbortController()
    work(ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) onError(error)
    })
    return () => ending.abort()
  }
  const machine = startMachine(editReplayMachine, {
    loadEdit: ({ input: saved, sendBack }) =>
      running(
        async signal => {
          if (saved.error !== undefined) throw new EditRefused(`It cannot be loaded: ${briefly(saved.error)}`)
          const live = (await load(saved.liveUrl)) as Exports
          const next = await imported(load(saved.url))
          if (signal.aborted) return
          prepared = prepareEdit(
            // A held module has evaluated versions that the app does not use.
            { live, next, isApplied: saved.isHeld, others: saved.isHeld ? [] : pairsOf(saved) },
            recordings,
          )
          sendBack({ type: 'edit.loaded', concerned: prepared.systems.length })
        },
        error => sendBack(refused(error)),
      ),
    driveEdit: ({ sendBack }) =>
      running(
        async signal => {
          if (!prepared) return
          const onProgress = (progress: DriveProgress) => sendBack({ type: 'drive.progressed', progress })
          driven = await driveSystems(prepared, { signal, onProgress })
          verdicts = driven.map(one => shown(verdictOf(one), one))
          sendBack({ type: 'drive.finished' })
        },
        error => sendBack(refused(error)),
      ),
    applyEdit: ({ sendBack }) =>
      running(
        async signal => {
          if (!prepared) return
          const onProgress = (progress: DriveProgress) => sendBack({ type: 'drive.progressed', progress })
          await applyEdit(prepared.edit, driven, { signal, onProgress })
          sendBack({ type: 'edit.applied' })
        },
        error => sendBack(refused(error)),
      ),
    requestUpdate: ({ input, sendBack }) => {
      update(input.file)
      sendBack({ type: 'update.sent' })
      return () => undefined
    },
  })
  machine.subscribe(() => {
    state = undefined
    onChange()
  })
  return {
    state() {
      const { value, context } = machine.snapshot()
      return (state ??= { ...context, phase: value, verdicts })
    },
    send: type => machine.send({ type }),
    saved(module) {
      recordings = systems().map(captured)
      before = machinesOfModule(module.source ?? '')
      verdicts = NO_VERDICTS
      machine.send({ type: 'module.saved', saved: module })
    },
  }
}

async function imported(loading: Promise<unknown>): Promise<Exports> {
  try {
    return (await loading) as Exports
  } catch (error) {
    throw new EditRefused(`It throws while it is loaded: ${messageOf(error)}.`)
  }
}

/** An error of the server in one line; it may show code and mark a place in it. */
function briefly(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line
}

/** Characters of an error; the terminal shows the rest. */
const MOST = 240

function shown({ first, ...verdict }: EditVerdict, { until }: Pick<Captured, 'until'>): SystemVerdict {
  if (!first) return verdict
  const { recorded, driven, ...rest } = first
  return {
    ...verdict,
    first: { ...rest, recorded: ended(recorded, until), driven: ended(driven, until) },
  }
}

/** A run that no longer grows, as the console shows it. */
function ended(trace: ReplayableTrace, until: number) {
  const nothing = () => undefined
  return attachedRecording({
    trace: trace as never,
    isRecording: () => false,
    elapsed: () => until,
    startRecording: nothing,
    stopRecording: nothing,
    bookmark: nothing,
    recorded: () => trace,
  })
}
