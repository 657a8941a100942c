// One random run of a single machine: its events, then calm, then its end; and what was wrong with it.
import {
  createActor,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InspectionEvent,
} from 'xstate'
import {
  aloneSystem,
  composeAlone,
  type MachineId,
} from '../../src/services/workbench/systems/known-systems.ts'
import { reportDeliveryMachine } from '../../src/machines/reports/delivery.ts'
import { reporterMachine } from '../../src/machines/reports/reporter.ts'
import { composeMachines } from '../../src/services/client/compose-client.ts'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { createRecorder } from '../../src/services/recording/record.ts'
import { createVirtualClock, type VirtualClock } from '../harness/virtual-clock.ts'
import { workbenchMachines } from '../../src/services/workbench/systems/workbench-machines.ts'
import type { WorkbenchPorts } from '../../scripts/machine-docs/accepted-events.ts'
import { randomPorts, type Run } from './random-ports.ts'
import { renumbered, type Sequence } from './sequences.ts'

export interface Subject {
  readonly id: MachineId
  /** Events that others may send it. */
  readonly reported: readonly string[]
  readonly input: unknown
  /** Events sent once calm has begun. */
  readonly settling: readonly AnyEventObject[]
  /** Whether the machine is in its calm state; undefined when it has ended. */
  readonly rests: (snapshot: AnyMachineSnapshot | undefined) => boolean
  /** Breaks the machine, to see whether that is noticed. */
  readonly mutant?: (machine: AnyStateMachine) => AnyStateMachine
}

const delivery = ({
  nextReport,
  announceReport,
  attachFiles,
  settleReport,
}: Pick<WorkbenchPorts, 'nextReport' | 'announceReport' | 'attachFiles' | 'settleReport'>) =>
  reportDeliveryMachine.provide({ actors: { nextReport, announceReport, attachFiles, settleReport } })

/** The single machine, with ports that respond with anything. */
function composeSubject({ id, mutant = machine => machine }: Subject, run: Run): AnyStateMachine {
  const ports = randomPorts(run)
  const { accessReview, rowImport, rowExport, rowComparison, rowDeletion, rowEdits, rowEdit } =
    workbenchMachines
  const { functionCall, fileJob, groupChange, retries, backendHealth, signIn, newPassword, survey } =
    workbenchMachines
  const edit = rowEdit.provide({ actors: { writeEdit: ports.writeEdit } })
  const all = {
    ...composeMachines(ports),
    rowImport: rowImport.provide({ actors: { sendBatch: ports.sendBatch } }),
    rowExport: rowExport.provide({ actors: { readPage: ports.readPage } }),
    rowComparison: rowComparison.provide({
      actors: { readPages: ports.readPages, recheckDifferences: ports.recheckDifferences },
    }),
    accessReview: accessReview.provide({ actors: { reviewStep: ports.reviewStep } }),
    rowDeletion: rowDeletion.provide({ actors: { deleteRows: ports.deleteRows } }),
    rowEdits: rowEdits.provide({ actors: { rowEdit: edit } }),
    rowEdit: edit,
    functionCall: functionCall.provide({
      actors: { callFunction: ports.callFunction, measureNetwork: ports.measureNetwork },
    }),
    fileJob: fileJob.provide({
      actors: { countFiles: ports.countFiles, processBatch: ports.processBatch },
    }),
    reporter: reporterMachine.provide({
      actors: {
        decideReport: ports.decideReport,
        captureReport: ports.captureReport,
        delivery: delivery(ports),
      },
    }),
    reportDelivery: delivery(ports),
    groupChange: groupChange.provide({
      actors: { compareNotes: ports.compareNotes, saveChange: ports.saveChange },
    }),
    retries,
    backendHealth: backendHealth.provide({ actors: { checkBackend: ports.checkBackend } }),
    signIn: signIn.provide({
      actors: {
        watchSession: ports.watchSession,
        submitForm: ports.submitForm,
        resendCode: ports.resendCode,
        signInAsGuest: ports.signInAsGuest,
        signInWithPasskey: ports.signInWithPasskey,
        openProvider: ports.openProvider,
        loadFactors: ports.loadFactors,
        verifyFactor: ports.verifyFactor,
      },
    }),
    newPassword: newPassword.provide({
      actors: { savePassword: ports.savePassword, requestCode: ports.requestCode },
    }),
    survey: survey.provide({ actors: { probeFamily: ports.probeFamily } }),
  }
  return composeAlone(mutant(all[id] as unknown as AnyStateMachine))
}

/**
 * Longer than the slowest response and the pause after it, so that a slot is not granted to a paused request.
 */
const OLD_ANSWERS = 100_000

/** Longer than every pause, deadline and timeout of a machine. */
const SETTLE_TIME = 900_000

/** Composes the machine once; the returned function runs a sequence and reports what was wrong. */
export function randomRunner(subject: Subject) {
  const { id, input, settling, rests } = subject
  const run: Run = { clock: createVirtualClock(), isAtRest: false, seed: 0, count: 0 }
  const machine = composeSubject(subject, run)
  return ({ steps, seed }: Sequence): string[] => {
    const clock = createVirtualClock()
    Object.assign(run, { clock, isAtRest: false, seed, count: 0 } satisfies Run)
    const requests: string[] = []
    const reported: string[] = []
    const failures: unknown[] = []
    const inspect = (event: InspectionEvent) => {
      if (event.type === '@xstate.event' && event.actorRef === actor) reported.push(...settled(event.event))
      // The client has no parent to notify, and channels notify the app: they emit.
      if (event.type === '@xstate.actor')
        (event.actorRef as AnyActorRef).on('*', emitted => reported.push(...settled(emitted)))
    }
    const actor = createActor(machine, { clock, input, inspect })
    actor.subscribe({ error: error => failures.push(error) })
    const report = (message: AnyEventObject) => {
      const event = renumbered(message, ++run.count, clock.now())
      if (actor.getSnapshot().status === 'active') requests.push(...awaited(id, event))
      actor.send({ type: 'alone.tell', event })
    }
    actor.start()
    play({ steps, settling, run, clock, report })
    const { children } = actor.getSnapshot() as AnyMachineSnapshot
    const snapshot = children['machine']?.getSnapshot() as AnyMachineSnapshot | undefined
    const wrong = [
      ...failures.map(failure => `it failed: ${String(failure)}`),
      ...(rests(snapshot) ? [] : [`calm left it in ${JSON.stringify(snapshot?.value)}`]),
      ...unequal(requests, reported),
    ]
    actor.stop()
    return clock.pending() === 0 ? wrong : [...wrong, `${clock.pending()} timers outlived it`]
  }
}

interface Play {
  readonly steps: Sequence['steps']
  readonly settling: Subject['settling']
  readonly run: Run
  readonly clock: VirtualClock
  readonly report: (event: AnyEventObject) => void
}

/** The sent events, and then the calm. */
function play({ steps, settling, run, clock, report }: Play): void {
  for (const [kind, what] of steps) {
    if (kind === 'tell') report(what)
    else clock.advance(what)
  }
  run.isAtRest = true
  // Events of earlier ports are handled first.
  clock.advance(OLD_ANSWERS)
  for (const event of settling) report(event)
  clock.advance(SETTLE_TIME)
}

/** The same run, recorded; the sequence is in the header's input, so that the file contains it. */
export function recordRun(subject: Subject, sequence: Sequence) {
  const { id, input, settling } = subject
  const clock = createVirtualClock()
  const run: Run = { clock, isAtRest: false, seed: sequence.seed, count: 0 }
  const recorder = createRecorder({
    system: aloneSystem(id),
    appVersion: 'test',
    clock,
    entropy: createSeededEntropy(sequence.seed),
    compose: () => composeSubject(subject, run),
    input: { ...(input as object), sequence },
  })
  recorder.start()
  const report = (event: AnyEventObject) =>
    recorder.send({ type: 'alone.tell', event: renumbered(event, ++run.count, clock.now()) })
  play({ steps: sequence.steps, settling, run, clock, report })
  recorder.stop()
  return recorder
}

/** Handles with a caller that waits for an end. */
function awaited(machine: MachineId, { type, attempt, id, info }: AnyEventObject): string[] {
  // The tab only receives what the session settles.
  if (machine === 'tab') return []
  if (typeof attempt === 'string' && type.startsWith('session.')) return [attempt]
  if (type === 'request.start') return [(info as { id: string }).id]
  return (type === 'broadcast.send' || type === 'presence.track') && typeof id === 'string' ? [id] : []
}

/** Handles whose end was reported. */
function settled({ type, attempt, output, settled: push }: AnyEventObject): string[] {
  if (type === 'auth.settled') return [attempt as string]
  if (type === 'request.settled') return [(output as { id: string }).id]
  return type === 'channel.settled' ? [(push as { id: string }).id] : []
}

function unequal(asked: readonly string[], reported: readonly string[]): string[] {
  return asked.flatMap(handle => {
    const times = reported.filter(other => other === handle).length
    return times === 1 ? [] : [`${handle} was settled ${times} times`]
  })
}
